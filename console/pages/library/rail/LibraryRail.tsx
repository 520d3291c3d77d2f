import { useEffect } from 'preact/hooks';
import { ErrorNote } from '../../../components/ErrorNote';
import { RailLink } from '../../../components/RailLink';
import { t } from '../../../core/i18n';
import { shortcutOf } from '../../../core/keys';
import { go, path, query } from '../../../core/router';
import { useRead } from '../../../core/use-read';
import { accessTo } from '../access';
import { libraryOf } from '../library';
import type { Library } from '../library';
import { Tree } from '../tree/Tree';
import type { Branch } from '../tree/tree';
import { allImages, queryOf, viewOf } from '../view';
import { Progress } from '../../../components/Progress';
import { size } from '../../../core/amounts';
import { Asked } from '../acting/Asked';
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
  useEffect(() => library.follow(), [library]);
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
  const onKey = (event: KeyboardEvent, { folder }: Branch): void => {
    if (!folder) return;
    const of = { images: [], folder };
    if (event.key === 'F2') actions.ask({ what: 'name', folder });
    else if (event.key === 'Delete') actions.trash(of);
    else if (shortcutOf(event) === 'm') actions.ask({ what: 'folder', of });
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
        onDrop={(id, things) => actions.move(things, id)}
        onKey={onKey}
      />
    </>
  );
}

/** How much of the quota is used. Nothing without an answer: it is of no use then. */
function StorageBar({ library: { access, changes } }: { readonly library: Library }) {
  const { data } = useRead(
    (signal) => {
      const params = { path: { user_id: access.userId } };
      return access.call((client) =>
        client.GET('/api/v1/users/{user_id}/info', { params, signal }),
      );
    },
    [access, changes.value],
  );
  if (!data) return null;
  const { used_storage_mb: used, max_storage_mb: max } = data;
  return (
    <div class="storage-bar">
      <Progress label={t('library.storage')} value={used / max} fills />
      <p>{t('users.used', { used: size(used), max: size(max) })}</p>
    </div>
  );
}

/** What actions ask for, and say, on any page; and Ctrl+Z. */
function ActionDialogs({ library }: { readonly library: Library }) {
  const { actions } = library;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const undo = shortcutOf(event) === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      if (!undo || event.defaultPrevented || isField(event.target)) return;
      event.preventDefault();
      actions.undoLast();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [actions]);
  return (
    <>
      <Asked library={library} />
      <p class="unseen" role="status">
        {actions.busy ? t('library.working') : ''}
      </p>
    </>
  );
}

/** Browsers undo there what was typed. */
const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input, textarea, select');
