import { useEffect, useReducer } from 'preact/hooks';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { size } from '../../core/amounts';
import { t } from '../../core/i18n';
import { shortcutOf } from '../../core/keys';
import { look } from '../../core/looks';
import { go, hrefOf, path } from '../../core/router';
import { useWaiting } from '../../core/waiting';
import { useHeld } from '../holds/held';
import type { Hold } from '../holds/holds';
import { FolderCards } from './folders/FolderCards';
import { Grid } from './grid/Grid';
import { TableHead } from './grid/TableHead';
import type { Library, ViewState } from './library';
import type { CountedFolder, Image } from './listing';
import { Toolbar } from './toolbar/Toolbar';
import { TrashedFolders, useDaysLeft } from './trash/TrashedFolders';
import { allImages, filtersIn, isPlainFolder, queryOf } from './view';
import type { View } from './view';

interface ContentsProps {
  readonly library: Library;
  readonly view: View;
  readonly onShow: (view: View) => void;
  readonly onProblem: (problem: unknown) => void;
}

/** The images of a view, and what can be done with them. */
export function Contents({ library, view, onShow, onProblem }: ContentsProps) {
  const state = library.stateOf(view);
  const { images } = state;
  const { actions, tree } = library;
  const [, drawAgain] = useReducer((n: number) => n + 1, 0);
  void images.version.value;
  void tree.version.value;
  useEffect(() => () => images.stop(), [images]);
  useEffect(() => tree.load(), [tree]);
  const { folder } = view;
  const isKnown = folder !== undefined && tree.folder(folder) !== undefined;
  useEffect(() => {
    if (isKnown) tree.reveal(folder);
  }, [folder, isKnown]);
  const daysLeft = useDaysLeft();
  const heldBy = useHeld(library.access, tree);
  const folders = (folder !== undefined && isPlainFolder(view) && tree.childrenOf(folder)) || [];
  useWaiting(!images.buckets && images.problem === undefined);
  const open = (image: Image, index: number): void => {
    state.current = images.spotAt(index);
    go(`${path.value}/images/${image.id}${withIndex(view, index)}`);
  };
  return (
    <>
      <Heading view={view} state={state} folders={folders} path={tree.pathTo(folder ?? '')} />
      <Toolbar library={library} view={view} state={state} onShow={onShow} />
      <ErrorNote problem={images.problem} onRetry={() => images.refresh()} />
      {view.trash && <TrashedFolders library={library} daysLeft={daysLeft} />}
      <FolderCards library={library} folders={folders} />
      {images.buckets && images.total + folders.length === 0 && <Nothing view={view} />}
      <Grid
        key={images.source.key}
        label={t('library.images')}
        state={state}
        head={look.chosen.value === 'table' && <TableHead view={view} onShow={onShow} />}
        onCurrent={(index) => {
          state.current = images.spotAt(index);
          drawAgain(0);
        }}
        onOpen={open}
        folderOf={(id) => (id === null ? undefined : tree.folder(id)?.title)}
        badgeOf={(image) => badgeOf(view.trash ? daysLeft(image) : undefined, heldBy(image))}
        onKey={(event) => pressed(event, state, actions)}
        onProblem={onProblem}
      />
    </>
  );
}

/** That an image is held, and how long it stays in the trash. */
const badgeOf = (daysLeft: number | undefined, hold: Hold | undefined): string | undefined =>
  [
    ...(hold ? [t('holds.lasts')] : []),
    ...(daysLeft === undefined ? [] : [t('library.daysLeft', { count: daysLeft })]),
  ].join(' · ') || undefined;

/** The query of a picture's URL: the list that it is in, and where to look for it there first. */
function withIndex(view: View, index: number): string {
  const words = queryOf(view);
  return `${words}${words ? '&' : '?'}at=${index}`;
}

/** Keyboard shortcuts for the buttons of the selection bar. */
function pressed(
  event: KeyboardEvent,
  { selection, images, current, view }: ViewState,
  actions: Library['actions'],
) {
  // What is not shown any more is not acted on.
  const here = images.get(current.id);
  const ids = selection.chosen.peek().size > 0 ? selection.ids : here ? [here.id] : [];
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key === 'Escape') selection.clear();
  else if (ids.length === 0) return;
  else if (event.key === 'Delete' && !view.trash) actions.trash({ images: ids });
  else if (event.key === 'Delete') actions.ask({ what: 'deletion', ids });
  else if (shortcutOf(event) === 'm' && isPlain && !view.trash) {
    actions.ask({ what: 'folder', of: { images: ids } });
  } else return;
  event.preventDefault();
}

interface HeadingProps {
  readonly view: View;
  readonly state: ViewState;
  readonly folders: readonly CountedFolder[];
  /** From the top to the folder of the view. */
  readonly path: readonly CountedFolder[];
}

function Heading({ view, state: { images }, folders, path: trail }: HeadingProps) {
  void images.version.value;
  return (
    <header class="page-head">
      <h1>{titleOf(view, trail.at(-1)?.title)}</h1>
      {images.buckets && (
        <p class="muted" role="status">
          {t('library.count', { count: images.total + folders.length })} · {size(images.megabytes)}
        </p>
      )}
      {trail.length > 1 && (
        <nav class="trail" aria-label={t('library.path')}>
          {trail.slice(0, -1).map(({ id, title }) => (
            <a key={id} href={hrefOf(`${path.value}${queryOf({ ...allImages, folder: id })}`)}>
              {title}
            </a>
          ))}
        </nav>
      )}
    </header>
  );
}

function titleOf(view: View, folder: string | undefined): string {
  if (view.trash) return t('library.trash');
  if (view.search && view.folder === undefined) return t('library.found', { search: view.search });
  if (view.folder === undefined) return t('library.all');
  return folder ?? (view.folder === 'root' ? t('library.root') : t('library.loading'));
}

function Nothing({ view }: { readonly view: View }) {
  if (view.trash) return <Empty icon="trash" title={t('library.noTrash')} />;
  if (view.search || filtersIn(view) > 0)
    return <Empty icon="search" title={t('library.noneFound')} />;
  return (
    <Empty icon="upload" title={t('library.none')}>
      <p>{t('upload.hint')}</p>
    </Empty>
  );
}
