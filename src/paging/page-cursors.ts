import { createHash } from 'node:crypto';
import type { Queryable } from '../database/sql.js';
import { deleteStaleCursors, selectCursor, upsertCursor } from './cursor-queries.js';
import type { ListTotals } from './totals.js';

/** Where a page begins. */
export interface PagePosition {
  /** Start after the item with this sort key. Omitted: at the start of the list. */
  readonly after?: readonly string[];
  /** Items to skip from there. */
  readonly offset: number;
}

export interface PageRequest {
  /** `jti` of the caller's token: cursors of different tokens are independent. */
  readonly token: string;
  /** Everything that determines what is listed and in which order; JSON. */
  readonly list: unknown;
  /** 0-based index of the first item. */
  readonly index: number;
  readonly size: number;
}

export interface ListSource<Row extends { readonly sortKey: readonly string[] }> {
  /** At most `limit` rows from `start` on, in an order whose last key is the id. */
  readonly rows: (start: PagePosition, limit: number) => Promise<Row[]>;
  /**
   * @param remembered the totals of the previous page, which a list that is slow to count may
   *   reuse.
   */
  readonly totals: (remembered: ListTotals | undefined) => Promise<ListTotals>;
}

export interface Page<Row> {
  readonly rows: Row[];
  readonly totals: ListTotals;
  /** Index to request next. */
  readonly next: number;
}

/**
 * Pages by index that neither skip nor repeat items while the list changes: the end of each page is
 * stored in the database, and a request for the following index gets what comes after the page's
 * last item, however far that has moved (docs/adr/0006). An index at which no page ended is located
 * by counting.
 */
export class PageCursors {
  constructor(private readonly db: Queryable) {}

  async page<Row extends { readonly sortKey: readonly string[] }>(
    { token, list, index, size }: PageRequest,
    listing: ListSource<Row>,
  ): Promise<Page<Row>> {
    const listId = createHash('sha256')
      .update(JSON.stringify([token, list]))
      .digest();
    const before = index === 0 ? undefined : await selectCursor(this.db, listId, index);
    const [found, counted] = await Promise.all([
      listing.rows(before ? { after: before.key, offset: 0 } : { offset: index }, size + 1),
      listing.totals(before?.totals),
    ]);
    const rows = found.slice(0, size);
    const next = index + rows.length;
    const ended = found.length <= size && (rows.length > 0 || before !== undefined);
    const totals = {
      ...counted,
      items: settled(counted, next, found.length > size, ended),
    };
    const last = rows.at(-1);
    if (last) await upsertCursor(this.db, listId, next, { key: last.sortKey, totals });
    return { rows, totals, next };
  }
}

/**
 * A client continues while `last_index < total_count`. Concurrent changes must neither end its
 * paging early nor keep it going forever, so the total is adjusted to what has been delivered. A total
 * that is a lower bound rises with each page.
 */
function settled(
  { items, exact }: ListTotals,
  next: number,
  more: boolean,
  ended: boolean,
): number {
  if (more) return Math.max(items, next + 1);
  if (!ended) return items;
  return exact === false ? next : Math.min(items, next);
}

/** Deletes page cursors that have not been used for an hour. */
export const expireCursors = (db: Queryable): Promise<unknown> => deleteStaleCursors(db);
