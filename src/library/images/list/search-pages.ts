import { onlyRow, parameters, type Queryable, type TimeLimited } from '../../../database/sql.js';
import type { ListTotals, PagePosition } from '../../../http/paging/pages.js';
import {
  newestFirst,
  newestSortKey,
  olderThan,
  pageIds,
  selectPage,
  type PageRange,
  type PageStatement,
  type RecordPage,
} from '../page.sql.js';
import { countInTime, inTime } from '../totals.sql.js';
import type { Filter } from './schemas.js';
import { soughtList } from './conditions.sql.js';
import { selectListTotals } from './list.sql.js';
import {
  lookup,
  scanSql,
  scanForPageSql,
  type ListSlice,
  type SelectiveParts,
} from './search.sql.js';

/** The result of scanning images one after the other. */
interface Scanned {
  /** Ids of the page, newest first. */
  readonly ids: readonly string[];
  readonly items: number;
  readonly bytes: number;
  /** Whether the scan reached the end of the list. */
  readonly ended: boolean;
  /** The part of the words to look up in an index, by column; null: all of them. */
  readonly selective: Readonly<Partial<Record<keyof SelectiveParts, string | null>>>;
}

/** The SQL of a slice of a list of user `$1`, with its values. */
function sliceOf(
  userId: string,
  filter: Filter,
  start: PagePosition,
  limit: number,
  matching = false,
) {
  const { values, bind } = parameters(userId);
  const later = olderThan(start, bind, filter.sortBy);
  const list = soughtList(filter, bind, later, matching);
  if (!list) throw new Error('a search of nothing');
  const { sortBy } = filter;
  const slice: ListSlice = { ...list, sortBy, offset: bind(start.offset), limit: bind(limit) };
  return { slice, values, bind, later };
}

interface Scan {
  readonly limit: number;
  /** Null: all of the list. */
  readonly scanLimit: number | null;
  /** Scans only what the rest of the filter includes. */
  readonly matching?: boolean;
}

/** Finds the matches of a page by scanning images. */
export async function scanForPage(
  db: Queryable,
  userId: string,
  filter: Filter,
  start: PagePosition,
  { limit, scanLimit, matching }: Scan,
): Promise<Scanned> {
  const { slice, values, bind } = sliceOf(userId, filter, start, limit, matching);
  return onlyRow<Scanned>(db, scanForPageSql(slice, bind(scanLimit)), values);
}

/** The result of an index lookup. */
interface Matches {
  /** Ids of the page, newest first; valid as a page only if there are no more matches. */
  readonly ids: readonly string[];
  /** Whether the index may have more matches. */
  readonly more: boolean;
  /** Totals of all matches found, on any page. */
  readonly items: number;
  readonly bytes: number;
}

interface Lookup {
  readonly limit: number;
  /** Matches to stop at. */
  readonly enough: number;
  readonly selective: Scanned['selective'];
}

async function lookUp(
  db: Queryable,
  userId: string,
  filter: Filter,
  start: PagePosition,
  { limit, enough, selective: parts }: Lookup,
): Promise<Matches> {
  const { slice, values, bind, later } = sliceOf(userId, filter, start, limit);
  const bound = Object.entries(parts).flatMap(([column, part]) =>
    part === null ? [] : [[column, bind(part)]],
  );
  const selective = Object.fromEntries(bound) as SelectiveParts;
  const sql = lookup(slice, selective, bind(enough), later);
  return onlyRow<Matches>(db, sql, values);
}

/** Counts up to one more than `maxMatches` matches among the newest `scanLimit` images. */
async function countByScanning(
  db: TimeLimited,
  userId: string,
  filter: Filter,
  { maxMatches, scanLimit }: { readonly maxMatches: number; readonly scanLimit: number },
): Promise<ListTotals> {
  const { slice, values, bind } = sliceOf(userId, filter, { offset: 0 }, maxMatches + 1);
  return countInTime(db, `(${scanSql(slice, bind(scanLimit))}) AS match`, values);
}

/** The images with these ids that still exist, newest first. */
function pageOfIds(found: readonly string[], sortBy: Filter['sortBy']): PageStatement {
  const { values, bind } = parameters(found);
  const order = newestFirst(sortBy);
  const limit = found.length;
  const ids = pageIds({ where: 'i.id = ANY ($1::uuid[])', order, offset: 0, limit }, bind);
  return { page: { ids, key: newestSortKey(sortBy) }, values };
}

/**
 * How many images to scan or look up (docs/adr/0014). For a word in every sixth image, the first
 * few hundred images contain a page; a word in fewer than a few thousand images is found fastest by
 * index; in between, neither is fast, but a longer scan finds a page.
 */
const reach = { near: 400, enough: 3_000 };

/**
 * How many matches of a frequent word are counted, and among how many images, before the total
 * becomes "at least".
 */
const counted = { maxMatches: 1_000, scanLimit: 10_000 };

interface Found {
  readonly ids: readonly string[];
  /** If they were found along with the page. */
  readonly totals?: ListTotals;
}

/** One page of a search, newest first, and the totals of all. */
export class SearchPage {
  #found: Promise<Found> | undefined;
  /** The parts of the words to look up in indexes. */
  #selective: Scanned['selective'] = {};

  constructor(
    private readonly db: TimeLimited,
    private readonly userId: string,
    private readonly filter: Filter,
  ) {}

  async find(range: PageRange): Promise<RecordPage> {
    for (;;) {
      this.#found = this.#find(range.start, range.size + 1);
      const { ids } = await this.#found;
      const page = await selectPage(this.db, pageOfIds(ids, this.filter.sortBy), range);
      // Images may have been deleted in between, and a short page would look like the last one.
      if (page.count + Number(page.more) === ids.length) return page;
    }
  }

  /** The totals of the list, from its page where that tells. */
  async totals(): Promise<ListTotals> {
    const found = await this.#found;
    const isSearch = this.filter.search !== undefined;
    if (found?.totals && (isSearch || found.totals.exact !== false)) return found.totals;
    if (!isSearch) return selectListTotals(this.db, this.userId, this.filter);
    const many = await countByScanning(this.db, this.userId, this.filter, counted);
    if (many.exact === false || many.items > counted.maxMatches) return { ...many, exact: false };
    return inTime(this.db, async (limited) =>
      totalsOf(await this.#lookUp({ offset: 0 }, 0, reach.enough, limited)),
    );
  }

  async #find(start: PagePosition, limit: number): Promise<Found> {
    const wanted = start.offset + limit;
    const nearby = await this.#scan(start, limit, reach.near);
    this.#selective = nearby.selective;
    if (isWhole(nearby, limit)) return found(nearby, start);
    const few = await this.#lookUp(start, limit, Math.max(reach.enough, wanted));
    if (!few.more) return { ids: few.ids, totals: totalsOf(few) };
    const further = await this.#scan(start, limit, null, true);
    return { totals: totalsOf(few), ...found(further, start) };
  }

  #scan(
    start: PagePosition,
    limit: number,
    scanLimit: number | null,
    matching = false,
  ): Promise<Scanned> {
    const scan = { limit, scanLimit, matching };
    return scanForPage(this.db, this.userId, this.filter, start, scan);
  }

  #lookUp(
    start: PagePosition,
    limit: number,
    enough: number,
    db: Queryable = this.db,
  ): Promise<Matches> {
    const selective = this.#selective;
    return lookUp(db, this.userId, this.filter, start, { limit, enough, selective });
  }
}

/** Whether a page is complete: full, or at the end of the list. */
const isWhole = ({ ids, ended }: Scanned, limit: number): boolean => ended || ids.length === limit;

/** The totals are known if the whole list was scanned. */
function found({ ids, items, bytes, ended }: Scanned, { after, offset }: PagePosition): Found {
  return ended && !after && offset === 0 ? { ids, totals: { items, bytes } } : { ids };
}

const totalsOf = ({ items, bytes, more }: Matches): ListTotals => ({
  items,
  bytes,
  ...(more && { exact: false }),
});
