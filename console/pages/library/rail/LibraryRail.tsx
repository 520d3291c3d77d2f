import { useEffect } from 'preact/hooks';
import { ErrorNote } from '../../../components/ErrorNote';
import { RailLink } from '../../../components/RailLink';
import { t } from '../../../core/i18n';
import { go, path, query } from '../../../core/router';
import { useRead } from '../../../core/use-read';
import { accessTo } from '../access';
import { ActionDialogs } from '../acting/ActionDialogs';
import { libraryOf } from '../library';
import type { Library } from '../library';
import { Tree } from '../tree/Tree';
import type { Branch } from '../tree/tree';
import { allImages, queryOf, viewOf } from '../view';
import { StorageBar } from './StorageBar';
import './rail.css';

interface LibraryRailProps {
  readonly owner: string;
  /** Whether the reader is the owner, whose pages the rail has already. */
  readonly isOwn: boolean;
}

/** The places of a library: folders, the trash, and how full it is. */
export default function LibraryRail({ owner, isOwn }: LibraryRailProps) {
  const library = libraryOf(accessTo(owner));
  const base = isOwn ? '/library' : `/users/${owner}/library`;
  const links = `/users/${owner}/links`;
  const isShown = path.value === base;
  const view = isShown ? viewOf(query.value) : allImages;
  const inTrash = queryOf({ ...allImages, trash: true });
  const whole = isShown && view.folder === undefined && !view.trash;
  return (
    <>
      <nav class="rail-library" aria-label={t('library.places')}>
        {!isOwn && (
          <>
            <OwnerName library={library} />
            <RailLink to={base} icon="library" current={whole}>
              {t('library.title')}
            </RailLink>
            <RailLink to={links} icon="link" current={path.value === links}>
              {t('links.heading')}
            </RailLink>
          </>
        )}
        <p class="rail-title">{t('library.folders')}</p>
        <Folders library={library} chosen={view.folder} base={base} />
        <RailLink to={`${base}${inTrash}`} icon="trash" current={view.trash}>
          {t('library.trash')}
        </RailLink>
      </nav>
      <StorageBar library={library} />
      <ActionDialogs library={library} />
    </>
  );
}

/** Whose library a platform has opened. */
function OwnerName({ library: { access } }: { readonly library: Library }) {
  const { data } = useRead(
    (signal) => {
      const params = { path: { user_id: access.userId } };
      return access.call((client) => client.GET('/api/v1/users/{user_id}', { params, signal }));
    },
    [access],
  );
  return <p class="rail-title">{data?.platform_user_id ?? t('library.loading')}</p>;
}

interface FoldersProps {
  readonly library: Library;
  readonly chosen: string | undefined;
  readonly base: string;
}

function Folders({ library, chosen, base }: FoldersProps) {
  const { tree, actions } = library;
  void tree.version.value;
  useEffect(() => {
    void tree.open('root');
  }, [tree]);
  const onKey = (event: KeyboardEvent, { folder }: Branch): void => {
    if (!folder) return;
    const item = { is_folder: true as const, data: folder };
    if (event.key === 'F2') actions.ask({ what: 'name', folder });
    else if (event.key === 'Delete') actions.trash([item]);
    else if (event.key === 'm') actions.ask({ what: 'folder', items: [item] });
    else return;
    event.preventDefault();
  };
  return (
    <>
      <ErrorNote problem={tree.problem} onRetry={() => void tree.reload()} />
      <Tree
        tree={tree}
        counted
        chosen={chosen}
        onChoose={(folder) => go(`${base}${queryOf({ ...allImages, folder })}`)}
        onDrop={(id, items) => actions.move(items, id)}
        onKey={onKey}
      />
    </>
  );
}
