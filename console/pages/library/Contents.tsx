import { useEffect, useReducer } from 'preact/hooks';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { size } from '../../core/amounts';
import { t } from '../../core/i18n';
import { go, hrefOf, path } from '../../core/router';
import { FolderCards } from './folders/FolderCards';
import { Grid } from './grid/Grid';
import type { Library, ViewState } from './library';
import type { Image, ImageItem } from './listing';
import { Toolbar } from './toolbar/Toolbar';
import { useDaysLeft } from './trash/days-left';
import type { DaysLeft } from './trash/days-left';
import { TrashedFolders } from './trash/TrashedFolders';
import { allImages, filtersIn, queryOf } from './view';
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
  const { pages } = state;
  const { actions } = library;
  const [, drawAgain] = useReducer((n: number) => n + 1, 0);
  void pages.version.value;
  useEffect(() => () => pages.stop(), [pages]);
  useEffect(() => {
    const opened = pages.slice?.path?.map(({ id }) => id);
    if (opened) void library.tree.reveal(opened);
  }, [pages.slice?.path?.at(-1)?.id]);
  const daysLeft = useDaysLeft();
  const folders = pages.slice?.folders ?? [];
  const open = (item: ImageItem, index: number): void => {
    state.current = index;
    go(`${path.value}/images/${item.data.id}${withIndex(view, index)}`);
  };
  return (
    <>
      <Heading view={view} state={state} />
      <Toolbar library={library} view={view} state={state} onShow={onShow} />
      <ErrorNote problem={pages.problem} onRetry={() => pages.refresh()} />
      {view.trash && <TrashedFolders library={library} daysLeft={daysLeft} />}
      <FolderCards library={library} folders={folders} />
      {pages.slice && pages.total + folders.length === 0 && <Nothing view={view} />}
      <Grid
        key={pages.listing.key}
        label={t('library.images')}
        state={state}
        onCurrent={(index) => {
          state.current = index;
          drawAgain(0);
        }}
        onOpen={open}
        badgeOf={view.trash ? badgeWith(daysLeft) : undefined}
        onKey={(event) => pressed(event, state, view, actions)}
        onProblem={onProblem}
      />
    </>
  );
}

/** How long an image stays in the trash. */
const badgeWith =
  (daysLeft: DaysLeft) =>
  (image: Image): string | undefined => {
    const count = daysLeft(image);
    return count === undefined ? undefined : t('library.daysLeft', { count });
  };

/** The query of a picture's URL: the list that it is in, and its position there. */
function withIndex(view: View, index: number): string {
  const words = queryOf(view);
  return `${words}${words ? '&' : '?'}at=${index}`;
}

/** Keyboard shortcuts for the buttons of the selection bar. */
function pressed(
  event: KeyboardEvent,
  { selection, pages, current }: ViewState,
  view: View,
  actions: Library['actions'],
) {
  const here = pages.at(current);
  const chosen = [...selection.items.value.values()];
  const items = chosen.length > 0 ? chosen : here ? [here] : [];
  if (event.key === 'Escape') selection.clear();
  else if (items.length === 0) return;
  else if (event.key === 'Delete' && !view.trash) actions.trash(items);
  else if (event.key === 'Delete') actions.ask({ what: 'deletion', items });
  else if (event.key === 'm' && !view.trash) actions.ask({ what: 'folder', items });
  else return;
  event.preventDefault();
}

function Heading({ view, state: { pages } }: { readonly view: View; readonly state: ViewState }) {
  void pages.version.value;
  const { slice } = pages;
  const trail = slice?.path ?? [];
  return (
    <header class="page-head">
      <h1>{titleOf(view, trail.at(-1)?.title)}</h1>
      {slice && (
        <p class="muted" role="status">
          {t('library.count', { count: slice.total + (slice.folders?.length ?? 0) })} ·{' '}
          {size(slice.megabytes)}
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
