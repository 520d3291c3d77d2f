import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../../components/Icon';
import { number, t } from '../../../core/i18n';
import { dragged, hasThings, putThings } from '../dragging';
import type { Things } from '../listing';
import type { Branch, FolderTree } from './tree';

interface TreeProps {
  readonly tree: FolderTree;
  /** The folder that is shown or selected. */
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
  /** Whether each folder says how many images are in it and below it. */
  readonly counted?: boolean;
  /** Something was dropped on a folder; without it, nothing can be dragged. */
  readonly onDrop?: (id: string, things: Things) => void;
  /** Called for keys that the tree does not handle, with their folder. */
  readonly onKey?: (event: KeyboardEvent, branch: Branch) => void;
}

/** Folders below this depth are not indented further: the rail is narrow. */
const deepest = 6;

/** The folders of a user (WAI-ARIA, tree view). */
export function Tree({ tree, chosen, onChoose, counted, onDrop, onKey }: TreeProps) {
  const list = useRef<HTMLDivElement>(null);
  const [here, setHere] = useState<string>();
  const [over, setOver] = useState<string>();
  void tree.version.value;
  const branches = tree.branches();
  const focusable =
    branches.find(({ id }) => id === here) ?? branches.find(({ id }) => id === chosen);
  useEffect(() => tree.load(), [tree]);
  const focus = (to: Branch | undefined): void => {
    if (!to) return;
    setHere(to.id);
    list.current?.querySelector<HTMLElement>(`[data-folder="${to.id}"]`)?.focus();
  };
  const press = (event: KeyboardEvent, branch: Branch): void => {
    const at = branches.indexOf(branch);
    if (event.key === 'Enter' || event.key === ' ') onChoose(branch.id);
    else if (event.key === 'ArrowDown') focus(branches[at + 1]);
    else if (event.key === 'ArrowUp') focus(branches[at - 1]);
    else if (event.key === 'Home') focus(branches[0]);
    else if (event.key === 'End') focus(branches.at(-1));
    else if (event.key === 'ArrowRight') {
      if (branch.open === false) tree.open(branch.id);
      else if (branch.open) focus(branches[at + 1]);
    } else if (event.key === 'ArrowLeft') {
      if (branch.open) tree.close(branch.id);
      else focus(branches.find(({ id }) => id === branch.parent));
    } else {
      onKey?.(event, branch);
      return;
    }
    event.preventDefault();
  };
  return (
    <div ref={list} class="tree" role="tree" aria-label={t('library.folders')}>
      {branches.map((branch) => (
        <div
          key={branch.id}
          data-folder={branch.id}
          class={over === branch.id ? 'tree-row over' : 'tree-row'}
          style={{ '--depth': Math.min(branch.depth, deepest) }}
          role="treeitem"
          aria-level={branch.depth + 1}
          aria-expanded={branch.open}
          aria-selected={branch.id === chosen}
          tabIndex={branch === (focusable ?? branches[0]) ? 0 : -1}
          draggable={onDrop !== undefined && branch.folder !== undefined}
          onFocus={() => setHere(branch.id)}
          onKeyDown={(event) => press(event, branch)}
          onClick={() => onChoose(branch.id)}
          onDragStart={(event) => {
            if (branch.folder) putThings(event, { images: [], folder: branch.folder });
          }}
          onDragOver={(event) => {
            if (!onDrop || !hasThings(event)) return;
            event.preventDefault();
            setOver(branch.id);
          }}
          onDragLeave={() => setOver(undefined)}
          onDrop={(event) => {
            setOver(undefined);
            dragged(event, (things) => onDrop?.(branch.id, things));
          }}
        >
          <span
            class={branch.open === undefined ? 'tree-twist none' : 'tree-twist'}
            aria-hidden="true"
            onClick={(event) => {
              event.stopPropagation();
              if (branch.open) tree.close(branch.id);
              else tree.open(branch.id);
            }}
          >
            <Icon name="chevron" />
          </span>
          <span class="tree-title" title={branch.folder?.title}>
            {branch.folder?.title ?? t('library.root')}
          </span>
          {counted && <Count of={branch.folder?.image_count_below} />}
        </div>
      ))}
    </div>
  );
}

function Count({ of: count }: { readonly of: number | undefined }) {
  if (count === undefined) return null;
  return (
    <span class="tree-count" title={t('library.imageCount', { count })}>
      {number(count)}
    </span>
  );
}
