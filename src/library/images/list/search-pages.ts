import type { Queryable, TimeLimited } from '../../../database/sql.js';
import type { ListSource, PagePosition } from '../../../http/paging/page-cursors.js';
import type { ListTotals } from '../../../http/paging/totals.js';
import { inTime } from '../totals.sql.js';
import type { ListedRow } from '../page.sql.js';
import type { PageText } from '../page-text.sql.js';
import {
  countByScanning,
  lookUp,
  selectByIds,
  selectTextByIds,
  scanForPage,
  type Matches,
  type SearchFilter,
  type Scanned,
} from './search-pages.sql.js';

/**
 * How many images to scan or look up (docs/adr/0028). For a word in every sixth image, the first
 * few hundred images contain a page; a word in fewer than a few thousand images is found fastest by
 * index; in between, neither is fast, but a longer scan finds a page.
 */
const reach = { near: 400, enough: 3_000, far: 100_000 };

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
export class SearchPage implements ListSource<ListedRow> {
  #found: Promise<Found> | undefined;
  /** The parts of the words to look up in indexes. */
  #selective: Scanned['selective'] = {};

  constructor(
    private readonly db: TimeLimited,
    private readonly userId: string,
    private readonly filter: SearchFilter,
  ) {}

  rows(start: PagePosition, limit: number): Promise<ListedRow[]> {
    const read = (ids: readonly string[]) => selectByIds(this.db, ids);
    return this.#read(start, limit, read, (rows) => rows.length);
  }

  /** The same page as text. */
  text(start: PagePosition, size: number): Promise<PageText> {
    const read = (ids: readonly string[]) => selectTextByIds(this.db, ids, size);
    return this.#read(start, size + 1, read, ({ count, more }) => count + Number(more));
  }

  async #read<Found>(
    start: PagePosition,
    limit: number,
    read: (ids: readonly string[]) => Promise<Found>,
    lengthOf: (found: Found) => number,
  ): Promise<Found> {
    for (;;) {
      this.#found = this.#find(start, limit);
      const { ids } = await this.#found;
      const found = await read(ids);
      // Images may have been deleted in between, and a short page would look like the last one.
      if (lengthOf(found) === ids.length) return found;
    }
  }

  /**
   * The totals of the list, determined with the first page and remembered for the following ones.
   */
  async totals(remembered: ListTotals | undefined): Promise<ListTotals> {
    if (remembered) return remembered;
    const found = await this.#found;
    if (found?.totals) return found.totals;
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
    const further = await this.#scan(start, limit, reach.far);
    if (isWhole(further, limit)) return { totals: totalsOf(few), ...found(further, start) };
    const { ids } = await this.#lookUp(start, limit, null);
    return { ids, totals: totalsOf(few) };
  }

  #scan(start: PagePosition, limit: number, scanLimit: number): Promise<Scanned> {
    return scanForPage(this.db, this.userId, this.filter, start, { limit, scanLimit });
  }

  #lookUp(
    start: PagePosition,
    limit: number,
    enough: number | null,
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
