import { createHash } from 'node:crypto';
import type { Queryable } from '../database/sql.js';
import { deleteOldWaypoints, selectWaypoint, upsertWaypoint } from './queries.js';
import type { Totals } from './totals.js';

/** Where a page begins. */
export interface Start {
  /** Sort key of an item: behind it. Left out: at the start of the list. */
  readonly after?: readonly string[];
  /** Items to pass over from there. */
  readonly offset: number;
}

export interface PageWanted {
  /** `jti` of the caller's token: walks of different tokens do not touch. */
  readonly token: string;
  /** Everything that decides what is listed and in which order; JSON. */
  readonly list: unknown;
  /** 0-based index of the first item. */
  readonly index: number;
  readonly size: number;
}

export interface Listing<Row extends { readonly sortKey: readonly string[] }> {
  /** At most `limit` rows from `start` on, in an order whose last key is the id. */
  readonly rows: (start: Start, limit: number) => Promise<Row[]>;
  /** @param remembered those of the walk's page before, which a list that counts slowly may keep. */
  readonly totals: (remembered: Totals | undefined) => Promise<Totals>;
}

export interface PageFound<Row> {
  readonly rows: Row[];
  readonly totals: Totals;
  /** Index to ask for next. */
  readonly next: number;
}

/**
 * Pages by index that neither skip nor repeat while the list changes: where a page ended is kept in
 * the database, and whoever asks for the index behind it gets what follows its last item, however
 * far that has moved since (docs/adr/0006). An index where no page ended is counted off.
 */
export class Walks {
  constructor(private readonly db: Queryable) {}

  async page<Row extends { readonly sortKey: readonly string[] }>(
    { token, list, index, size }: PageWanted,
    listing: Listing<Row>,
  ): Promise<PageFound<Row>> {
    const walk = createHash('sha256')
      .update(JSON.stringify([token, list]))
      .digest();
    const before = index === 0 ? undefined : await selectWaypoint(this.db, walk, index);
    const [found, counted] = await Promise.all([
      listing.rows(before ? { after: before.key, offset: 0 } : { offset: index }, size + 1),
      listing.totals(before?.totals),
    ]);
    const rows = found.slice(0, size);
    const next = index + rows.length;
    const ended = found.length <= size && (rows.length > 0 || before !== undefined);
    const totals = {
      ...counted,
      items: settled(counted.items, next, found.length > size, ended),
    };
    const last = rows.at(-1);
    if (last) await upsertWaypoint(this.db, walk, next, { key: last.sortKey, totals });
    return { rows, totals, next };
  }
}

/**
 * A client goes on while `last_index < total_count`. What came or went behind its back must neither
 * end its walk early nor keep it walking, so the total gives way to what the walk has seen.
 */
function settled(total: number, next: number, more: boolean, ended: boolean): number {
  if (more) return Math.max(total, next + 1);
  return ended ? Math.min(total, next) : total;
}

/** Forgets where walks ended that nobody has continued for an hour. */
export const forgetOldWalks = (db: Queryable): Promise<unknown> => deleteOldWaypoints(db);
