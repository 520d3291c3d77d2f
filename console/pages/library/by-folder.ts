import { grouping } from '../../core/looks';
import { t } from '../../core/i18n';
import type { Access } from './access';
import type { Counted } from './buckets';
import { sourceOf } from './listing';
import type { CountedFolder, Image, Period, Source } from './listing';
import { root } from './tree/tree';
import type { FolderTree } from './tree/tree';
import { filtersIn } from './view';
import type { View } from './view';

/** Whether a view may be shown by folders: they have counts of all that is in them, not of what filters find. */
export const hasFolders = (view: View): boolean =>
  (view.folder === undefined || view.below) &&
  !view.trash &&
  view.search === '' &&
  filtersIn(view) === 0;

/** What names the parts of a view: what the reader has chosen, if it can. */
export const groupingOf = (view: View): typeof grouping.chosen.value =>
  grouping.chosen.value === 'folder' && !hasFolders(view) ? 'day' : grouping.chosen.value;

/**
 * The list of a view by folders, as the tree has them, each with its newest image first. A folder has a number where
 * others have that of a day: the later it comes, the smaller, as with days.
 */
export function byFolder(access: Access, view: View, tree: FolderTree): Source {
  const list = sourceOf(access, view);
  const top = view.folder ?? root;
  const ids: string[] = [];
  const numbers = new Map<string, number>();
  let counted: readonly Counted[] = [];
  const numberOf = (id: string): number => {
    const number = numbers.get(id) ?? 1 - ids.push(id);
    numbers.set(id, number);
    return number;
  };
  const dayOf = (image: Image): number => numberOf(image.folder_id ?? root);
  const only = (number: number): Source =>
    sourceOf(access, { ...view, folder: ids[-number], below: false });
  async function* inOrder(period: Period | undefined, signal: AbortSignal) {
    const all: Image[] = [];
    for await (const images of list.walk(undefined, signal)) all.push(...images);
    const nth = new Map(counted.map(({ date }, n) => [date, n]));
    const nthOf = (image: Image): number => nth.get(dayOf(image)) ?? counted.length;
    const first = nth.get(period?.to ?? NaN) ?? 0;
    const last = nth.get(period?.from ?? NaN) ?? counted.length;
    yield all
      .filter((image) => nthOf(image) >= first && nthOf(image) <= last)
      .sort((one, other) => nthOf(one) - nthOf(other));
  }
  return {
    key: `${list.key} by folder`,
    dayOf,
    nameOf: (number) => titleOf(ids[-number] ?? root, top, tree),
    days: async (known, signal) => {
      const found = await list.days(known, signal);
      if (!found) return undefined;
      await tree.reload();
      signal.throwIfAborted();
      if (tree.problem !== undefined) throw tree.problem as Error;
      const folders = [...foldersIn(tree.childrenOf(top) ?? [])];
      const below = folders.reduce((sum, { image_count: own = 0 }) => sum + own, 0);
      const total = found.days.reduce((sum, { count }) => sum + count, 0);
      // The top level is in no answer.
      const own = { date: numberOf(top), count: total - below };
      const others = folders.map(({ id, image_count: count = 0 }) => ({
        date: numberOf(id),
        count,
      }));
      counted = [own, ...others].filter(({ count }) => count > 0);
      return { days: counted, tag: found.tag };
    },
    page: async ({ period, ...part }, signal) => {
      if (period) return only(period.from).page(part, signal);
      // Its size alone: what it begins with is anywhere in its folders.
      return { ...(await list.page({ ...part, count: 1 }, signal)), images: [] };
    },
    walk: (period, signal) =>
      period && period.from === period.to
        ? only(period.from).walk(undefined, signal)
        : inOrder(period, signal),
  };
}

/** Folders and all below them, in the order of the tree. */
function* foldersIn(folders: readonly CountedFolder[]): Generator<CountedFolder, void> {
  for (const folder of folders) {
    yield folder;
    yield* foldersIn(folder.child_folders);
  }
}

/** The path of a folder, below the one that is shown. */
function titleOf(id: string, top: string, tree: FolderTree): string {
  if (id === root) return t('library.root');
  const path = tree.pathTo(id);
  const below = path.slice(path.findIndex((folder) => folder.id === top) + 1);
  return (below.length > 0 ? below : path.slice(-1)).map(({ title }) => title).join(' / ');
}
