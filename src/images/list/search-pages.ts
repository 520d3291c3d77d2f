import type { Queryable } from '../../database/sql.js';
import type { TimeLimited } from '../../database/time-limit.js';
import type { ListSource, PagePosition } from '../../paging/page-cursors.js';
import type { ListTotals } from '../../paging/totals.js';
import { inTime } from '../totals-queries.js';
import type { ListedRow } from '../page-queries.js';
import type { PageText } from '../page-text-queries.js';
import {
  countByWalking,
  lookUp,
  selectByIds,
  selectTextByIds,
  walkTo,
} from './search-pages-queries.js';
import type { Matches, SearchFilter, Walked } from './search-pages-queries.js';

/**
 * How far to look, in images (docs/adr/0028). What every sixth image has is on a page within the
 * first few hundred; what is in fewer than a few thousand is fastest found by index; in between,
 * neither is fast, but a page of it is not far.
 */
const reach = { near: 400, enough: 3_000, far: 100_000 };

/**
 * How many matches of a frequent word are counted, and among how many images, before the total
 * becomes "at least".
 */
const counted = { most: 1_000, furthest: 10_000 };

interface Found {
  readonly ids: readonly string[];
  /** If they came along. */
  readonly totals?: ListTotals;
}

/** One page of a search, newest first, and the totals of all. */
export class SearchPage implements ListSource<ListedRow> {
  #found: Promise<Found> | undefined;
  /** What indexes should be asked for. */
  #selective: Walked['selective'] = {};

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
      // Images may have been deleted in between: a page that lacks some would look like the last.
      if (lengthOf(found) === ids.length) return found;
    }
  }

  /** The totals of the first page, which the following ones are told. */
  async totals(remembered: ListTotals | undefined): Promise<ListTotals> {
    if (remembered) return remembered;
    const found = await this.#found;
    if (found?.totals) return found.totals;
    const many = await countByWalking(this.db, this.userId, this.filter, counted);
    if (many.exact === false || many.items > counted.most) return { ...many, exact: false };
    return inTime(this.db, async (limited) =>
      totalsOf(await this.#lookUp({ offset: 0 }, 0, reach.enough, limited)),
    );
  }

  async #find(start: PagePosition, limit: number): Promise<Found> {
    const wanted = start.offset + limit;
    const nearby = await this.#walk(start, limit, reach.near);
    this.#selective = nearby.selective;
    if (isWhole(nearby, limit)) return found(nearby, start);
    const few = await this.#lookUp(start, limit, Math.max(reach.enough, wanted));
    if (!few.more) return { ids: few.ids, totals: totalsOf(few) };
    const further = await this.#walk(start, limit, reach.far);
    if (isWhole(further, limit)) return { totals: totalsOf(few), ...found(further, start) };
    const { ids } = await this.#lookUp(start, limit, null);
    return { ids, totals: totalsOf(few) };
  }

  #walk(start: PagePosition, limit: number, furthest: number): Promise<Walked> {
    return walkTo(this.db, this.userId, this.filter, start, { limit, furthest });
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

/** Whether a page is found, be it shorter than wanted since there is no more. */
const isWhole = ({ ids, ended }: Walked, limit: number): boolean => ended || ids.length === limit;

/** What was found on the way from the newest image to the oldest one is all that there is. */
function found({ ids, items, bytes, ended }: Walked, { after, offset }: PagePosition): Found {
  return ended && !after && offset === 0 ? { ids, totals: { items, bytes } } : { ids };
}

const totalsOf = ({ items, bytes, more }: Matches): ListTotals => ({
  items,
  bytes,
  ...(more && { exact: false }),
});
