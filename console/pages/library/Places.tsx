import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ErrorNote } from '../../components/ErrorNote';
import { Icon } from '../../components/Icon';
import type { IconName } from '../../components/Icon';
import { t } from '../../core/i18n';
import { hrefOf, path } from '../../core/router';
import type { Library } from './library';
import { Tree } from './tree/Tree';
import type { Branch } from './tree/tree';
import type { Actions } from './use-actions';
import { allImages, queryOf } from './view';
import type { View } from './view';

interface PlacesProps {
  readonly library: Library;
  readonly view: View;
  readonly onShow: (view: View) => void;
  readonly actions: Actions;
}

/** Whether there is room for the places beside the images, as in library.css. */
const room = matchMedia('(width >= 48rem)');
const hasRoom = signal(room.matches);
room.addEventListener('change', ({ matches }) => (hasRoom.value = matches));

/** Where a reader can go in a library. */
export function Places({ library, view, onShow, actions }: PlacesProps) {
  const { tree } = library;
  void tree.version.value;
  useEffect(() => {
    void tree.open('root');
  }, [tree]);
  const inTrash: View = { ...allImages, trash: true };
  const onKey = (event: KeyboardEvent, { folder }: Branch): void => {
    if (!folder) return;
    const item = { is_folder: true as const, data: folder };
    if (event.key === 'F2') actions.rename(folder);
    else if (event.key === 'Delete') actions.trash([item]);
    else if (event.key === 'm') actions.choosePlace([item]);
    else return;
    event.preventDefault();
  };
  return (
    <details class="places" open={hasRoom.value}>
      <summary>{t('library.places')}</summary>
      <nav aria-label={t('library.places')}>
        <Place icon="library" to={allImages} view={view} title={t('library.all')} />
        <ErrorNote problem={tree.problem} onRetry={() => void tree.reload()} />
        <Tree
          tree={tree}
          chosen={view.folder}
          onChoose={(folder) => onShow({ ...allImages, folder })}
          onDrop={(id, items) => actions.move(items, id)}
          onKey={onKey}
        />
        <Place icon="trash" to={inTrash} view={view} title={t('library.trash')} />
      </nav>
    </details>
  );
}

interface PlaceProps {
  readonly icon: IconName;
  readonly to: View;
  readonly view: View;
  readonly title: string;
}

function Place({ icon, to, view, title }: PlaceProps) {
  const here = view.folder === undefined && view.trash === to.trash;
  return (
    <a
      class="place"
      href={hrefOf(`${path.value}${queryOf(to)}`)}
      aria-current={here ? 'page' : undefined}
    >
      <Icon name={icon} />
      <span>{title}</span>
    </a>
  );
}
