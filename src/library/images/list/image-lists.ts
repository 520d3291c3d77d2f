import { ServiceError } from '../../../base/errors/catalogue.js';
import { toMegabytes } from '../../../base/units.js';
import type { TimeLimited } from '../../../database/sql.js';
import { Batches, BatchReader, type MaybeBatched } from '../../../http/paging/batches.js';
import {
  indexedFields,
  type ListSource,
  type ListTotals,
  type Page,
  type PagePosition,
  type PageRequest,
  type Pages,
  type PageSource,
} from '../../../http/paging/pages.js';
import { assertFolderExists } from '../../tree/tree.js';
import { folderOfSet } from '../../upload-sets/upload-sets.js';
import { choicesOf, type Choices } from '../choices.js';
import { totalsInFolder } from '../folder-images.js';
import { fewImages } from '../images.sql.js';
import type { IncludeOptions } from '../record-pages.js';
import { timeIn, type PageText, type ListedRow } from '../page.sql.js';
import { type ResolveUrl, type BatchedImageRecord } from '../record.js';
import type { Images } from '../images.js';
import { sumKept, type KeptStates } from '../totals.sql.js';
import type { Filter, ImageDays, ImageList } from './schemas.js';
import { hasSought, isNarrow } from './conditions.sql.js';
import { selectListTotals, selectNewestImages, selectNewestText } from './list.sql.js';
import { selectNearest, selectNearestText } from './near.sql.js';
import { SearchPage } from './search-pages.js';
import { selectWholePage, type WholeList } from './whole.sql.js';

export interface ListRequest {
  readonly userId: string;
  readonly filter: Filter;
  /** What `listIdentity` returns. */
  readonly list: unknown;
  /** 0-based index of the first image. */
  readonly index: number;
  readonly cursor?: string | undefined;
  readonly size: number;
}

/** Pages of a user's images. */
export class ImageLists {
  constructor(
    private readonly db: TimeLimited & { readonly replicated: boolean },
    private readonly images: Images,
    private readonly pages: Pages,
  ) {}

  /** What filters can name, as far as the newest images tell. */
  choices(userId: string): Promise<Choices> {
    return choicesOf(this.db, userId);
  }

  /**
   * Verifies that what a filter names is there.
   * @throws ServiceError `folder_not_found`, `upload_set_not_found`.
   */
  async verify(userId: string, { folder, uploadSetId }: Filter): Promise<void> {
    if (folder && folder.id !== null) {
      await assertFolderExists(this.db, { kind: 'users', id: userId }, folder.id);
    }
    if (uploadSetId !== undefined) await folderOfSet(this.db, userId, uploadSetId, undefined);
  }

  async page(
    wanted: ListRequest,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<MaybeBatched<ImageList>> {
    const { memos, customs, history } = include;
    // Includes are read separately and joined with rows.
    return memos || customs || history || wanted.size > fewImages
      ? (await this.#page(wanted, include, resolveUrl)).page
      : this.#text(wanted, resolveUrl);
  }

  /** The same as text that the database writes, in one statement if nothing must be counted. */
  async #text(wanted: ListRequest, resolveUrl: ResolveUrl): Promise<MaybeBatched<ImageList>> {
    const page = await this.pages.of(requestOf(wanted), this.#textSource(wanted));
    const items = this.images.list(page.found, resolveUrl);
    return { ...pageFields(page), items };
  }

  #textSource(wanted: ListRequest): PageSource<PageText> {
    const { userId, filter, size } = wanted;
    const search = this.#searchPage(userId, filter);
    if (search) {
      return { find: (start) => search.text(start, size), totals: () => search.totals() };
    }
    const whole = takesAll(filter) && !this.db.replicated && wholeOf(filter);
    return whole ? this.#wholePages(wanted, whole) : this.#textPages(wanted);
  }

  /** Pages of a filtered list. */
  #textPages({ userId, filter, size }: ListRequest): PageSource<PageText> {
    const { near } = filter;
    return {
      find: (start) =>
        near
          ? selectNearestText(this.db, userId, { ...filter, near }, { start, size })
          : selectNewestText(this.db, userId, filter, { start, size }),
      totals: () => this.#totals(userId, filter),
    };
  }

  /** Pages of all images, or all in or out of the trash. */
  #wholePages({ userId, size }: ListRequest, whole: WholeList): PageSource<PageText> {
    return {
      find: async (start) => ofUser(await selectWholePage(this.db, userId, whole, { start, size })),
    };
  }

  async #page(wanted: ListRequest, include: IncludeOptions, resolveUrl: ResolveUrl) {
    const { userId, filter } = wanted;
    const page = await this.pages.ofRows(requestOf(wanted), this.#source(userId, filter));
    const { rows } = page.found;
    const items = await this.images.page(rows, { include, resolveUrl, shape: withDistance });
    return { rows, items, page: { ...pageFields(page), items } };
  }

  /** The same page with its images grouped by day. */
  async days(
    wanted: ListRequest,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<MaybeBatched<ImageDays>> {
    const { rows, items, page } = await this.#page(wanted, include, resolveUrl);
    const days = groupConsecutive(rows, items, {
      of: (row) => this.images.dayOf(row, timeIn(wanted.filter.sortBy ?? 'created_at')),
      run: (date, count, images) => ({ date, count, images }),
    });
    return { ...page, total_images: page.total_count, items: days };
  }

  /** What is looked up in lists that are newest first has pages of its own. */
  #searchPage(userId: string, filter: Filter): SearchPage | undefined {
    const isSought = hasSought(filter) && !filter.near;
    return isSought ? new SearchPage(this.db, userId, filter) : undefined;
  }

  #source(userId: string, filter: Filter): ListSource<ListedRow> {
    return (
      this.#searchPage(userId, filter) ?? {
        rows: (start, limit) => this.#rows(userId, filter, start, limit),
        totals: () => this.#totals(userId, filter),
      }
    );
  }

  async #rows(
    userId: string,
    filter: Filter,
    start: PagePosition,
    limit: number,
  ): Promise<ListedRow[]> {
    const { near } = filter;
    if (near) return selectNearest(this.db, userId, { ...filter, near }, start, limit);
    return selectNewestImages(this.db, userId, filter, start, limit);
  }

  /** Totals come from counters where they are kept; otherwise the matches must be counted. */
  async #totals(userId: string, filter: Filter): Promise<ListTotals> {
    if (takesAll(filter)) return this.images.totals(userId, filter.trash);
    const kept = keptStates(filter);
    if (kept) return sumKept(this.db, userId, kept);
    const folder = wholeFolder(filter);
    if (folder) return totalsInFolder(this.db, { userId, ...folder }, folder.below);
    return selectListTotals(this.db, userId, filter);
  }
}

/** The list of a user. */
const requestOf = ({ userId, list, ...page }: ListRequest): PageRequest => ({
  ...page,
  list: ['images', userId, list],
});

/** The fields of a page besides its images. */
const pageFields = (page: Page<{ count: number }>) => ({
  ...indexedFields(page),
  total_filesize_mb: toMegabytes(page.totals.bytes),
  ...(page.totals.exact === false && { total_is_exact: false as const }),
});

/**
 * The states for which totals are kept and which a filter covers exactly; undefined if its matches
 * have to be counted.
 */
export function keptStates(filter: Filter): KeptStates | undefined {
  const { trash, det, located, near, folder, ...others } = filter;
  const topLevel = folder?.id === null;
  if (isNarrow({ trash, ...others }) || (folder && !topLevel)) return undefined;
  if (near && (near.radius !== undefined || near.facing || located === false)) return undefined;
  const place = near ? true : located;
  return {
    trash,
    ...(det !== undefined && { det }),
    ...(place !== undefined && { located: place }),
    ...(topLevel && { topLevel }),
  };
}

/** The folder of a filter that includes all of it, with or without what is below. */
function wholeFolder({ trash, folder, ...others }: Filter) {
  if (!folder || others.near || isNarrow({ trash, ...others })) return undefined;
  return { trash, folderId: folder.id, below: folder.below };
}

/** Every user has totals. */
function ofUser<Page extends PageText>(page: Page): Page {
  if (!page.totals) throw new ServiceError('user_not_found');
  return page;
}

/**
 * Whether a filter covers all images, or all in or out of the trash: the sets for which counts are
 * kept.
 */
const takesAll = (filter: Filter): boolean => !filter.near && !isNarrow(filter);

/** Few ask for the oldest first: these pages are not worth statements of their own. */
const wholeOf = ({ trash, sortBy = 'created_at' }: Filter): WholeList | undefined =>
  sortBy === 'created_at' || sortBy === 'taken_at' ? { trash, sortBy } : undefined;

/** With the distance, in lists sorted by it. */
export const withDistance = (
  record: BatchedImageRecord,
  { distance }: { readonly distance?: number },
): BatchedImageRecord => (distance === undefined ? record : { ...record, distance_m: distance });

interface GroupingFunctions<Row, Item, Key, Run> {
  readonly of: (row: Row) => Key;
  /** Combines consecutive items that have the same key. */
  readonly run: (key: Key, count: number, items: Item[] | Batches<Item>) => Run;
}

interface Identified {
  readonly id: string;
}

/**
 * Groups consecutive items of a list by a common key, such as their day.
 * @param rows the rows that the items are made from, whose keys count: an item may have changed
 *   since.
 */
export function groupConsecutive<Row extends Identified, Item extends Identified, Key, Run>(
  rows: readonly Row[],
  items: Item[] | Batches<Item>,
  { of, run }: GroupingFunctions<Row, Item, Key, Run>,
): Run[] | Batches<Run> {
  const keys = new Map<string, Key>();
  const runs: { key: Key; count: number }[] = [];
  for (const row of rows) {
    const key = of(row);
    keys.set(row.id, key);
    const last = runs.at(-1);
    if (last?.key === key) last.count += 1;
    else runs.push({ key, count: 1 });
  }
  if (items instanceof Batches) {
    const cursor = new BatchReader<Item>(items.batches);
    const itemsOf = (key: Key) => new Batches(cursor.while(({ id }) => keys.get(id) === key));
    return new Batches(oneByOne(runs.map(({ key, count }) => run(key, count, itemsOf(key)))));
  }
  let start = 0;
  return runs.map(({ key, count }) => run(key, count, items.slice(start, (start += count))));
}

async function* oneByOne<Item>(items: readonly Item[]): AsyncGenerator<Item[]> {
  for (const item of items) yield [item];
}
