import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../../components/Icon';
import { Menu } from '../../../components/Menu';
import type { MenuItem } from '../../../components/Menu';
import { day, days } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import { hrefOf, path } from '../../../core/router';
import { useRead } from '../../../core/use-read';
import { dragged, hasItems, putItems } from '../dragging';
import { Thumb } from '../grid/Thumb';
import type { Library } from '../library';
import type { Folder } from '../listing';
import { allImages, queryOf } from '../view';
import { readCover } from './covers';
import type { Cover } from './covers';
import './folders.css';

interface FolderCardsProps {
  readonly library: Library;
  readonly folders: readonly Folder[];
}

/** The folders in a folder. */
export function FolderCards({ library, folders }: FolderCardsProps) {
  if (folders.length === 0) return null;
  return (
    <ul class="folder-cards" aria-label={t('library.folders')}>
      {folders.map((folder) => (
        <FolderCard key={folder.id} library={library} folder={folder} />
      ))}
    </ul>
  );
}

interface FolderCardProps {
  readonly library: Library;
  readonly folder: Folder;
}

/** A folder with some of its pictures, and what can be done with it. */
function FolderCard({ library, folder }: FolderCardProps) {
  const { access, actions, changes } = library;
  const card = useRef<HTMLLIElement>(null);
  const [over, setOver] = useState(false);
  const seen = useSeen(card);
  const { data: cover, again } = useRead(
    async (signal) => (seen ? readCover(access, folder.id, signal) : undefined),
    [access, folder.id, seen, changes.value],
  );
  const item = { is_folder: true as const, data: folder };
  return (
    <li
      ref={card}
      class={over ? 'folder-card over' : 'folder-card'}
      draggable
      onDragStart={(event) => putItems(event, [item])}
      onDragOver={(event) => {
        if (!hasItems(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        dragged(event, (items) => actions.move(items, folder.id));
      }}
    >
      <a
        class="folder-open"
        href={hrefOf(`${path.value}${queryOf({ ...allImages, folder: folder.id })}`)}
        draggable={false}
        aria-label={t('library.folderNamed', { title: folder.title })}
      >
        <FolderCover cover={cover} onStale={again} />
      </a>
      <div class="folder-about" aria-hidden="true">
        <p class="folder-title">{folder.title}</p>
        <p class="hint">{cover ? t('library.count', { count: cover.count }) : '…'}</p>
        <p class="hint">{cover?.days && rangeOf(cover.days)}</p>
      </div>
      <Menu
        label={t('library.actionsFor', { title: folder.title })}
        icon="more"
        groups={groupsFor(library, folder)}
      />
    </li>
  );
}

function groupsFor({ actions }: Library, folder: Folder): (readonly MenuItem[])[] {
  const items = [{ is_folder: true as const, data: folder }];
  return [
    [
      { label: t('action.rename'), icon: 'edit', act: () => actions.ask({ what: 'name', folder }) },
      { label: t('action.move'), icon: 'move', act: () => actions.ask({ what: 'folder', items }) },
      { label: t('action.link'), icon: 'link', act: () => actions.ask({ what: 'link', items }) },
      { label: t('action.downloadZip'), icon: 'download', act: () => actions.download(items) },
    ],
    [{ label: t('action.trash'), icon: 'trash', act: () => actions.trash(items) }],
  ];
}

function rangeOf([first, last]: readonly [string, string]): string {
  return first === last ? day(first) : days(first, last);
}

interface FolderCoverProps {
  readonly cover: Cover | undefined;
  readonly onStale: () => void;
}

function FolderCover({ cover, onStale }: FolderCoverProps) {
  const images = cover?.images ?? [];
  return (
    <span class={`folder-cover of-${images.length}`}>
      {cover && images.length === 0 && <Icon name="folder" />}
      {images.map((image) => (
        <Thumb key={image.id} image={image} onError={onStale} />
      ))}
    </span>
  );
}

/** Whether an element has ever been near the visible part of the page. */
function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: '200px' },
    );
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return seen;
}
