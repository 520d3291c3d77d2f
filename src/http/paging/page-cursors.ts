import { createHash } from 'node:crypto';
import { parse, validate as isUuid } from 'uuid';
import { currentCaller } from '../../base/telemetry/context.js';
import { type Bind, instantText, type Queryable } from '../../database/sql.js';
import {
  type Bookmark,
  deleteOldCursors,
  type ListTotals,
  selectCursor,
  upsertCursor,
} from './bookmarks.js';

/**
 * Ends of pages that are kept for one user or platform, 1.5 KB each at most, and how often that is
 * enforced: an owner has a thousand more per process at most, until they expire.
 */
const keptPerOwner = 10_000;
const boundEvery = 1_000;
/** Owners whose pages are counted; evicted ones are counted from zero. */
const maxOwners = 10_000;

/** The caller in 16 bytes, with which its rows begin. */
const ownerOf = (caller = ''): Buffer =>
  isUuid(caller) ? Buffer.from(parse(caller)) : createHash('md5').update(caller).digest();

/** Where a page begins. */
export interface PagePosition {
  /** Start after the item with this sort key. Omitted: at the start of the list. */
  readonly after?: readonly string[];
  /** Items to skip from there. */
  readonly offset: number;
}

interface PageRequest {
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
  rows(start: PagePosition, limit: number): Promise<Row[]>;
  /**
   * @param remembered the totals of the previous page, which a list that is slow to count may
   *   reuse.
   */
  totals(remembered: ListTotals | undefined): Promise<ListTotals>;
}

export interface Page<Row> {
  readonly rows: Row[];
  readonly totals: ListTotals;
  /** Index to request next. */
  readonly next: number;
}

/** A page in any form. */
export interface FoundPage {
  readonly count: number;
  /** Whether anything follows. */
  readonly more: boolean;
  /** Sort key of the last item; undefined if there is none. */
  readonly lastKey: readonly string[] | undefined;
  /** The totals, if the statement that found the page also read them and recorded its end. */
  readonly noted?: ListTotals | undefined;
}

export interface PageSource<Found extends FoundPage> {
  /** @param bookmark for statements on the primary server that record the page's end themselves. */
  readonly find: (start: PagePosition, bookmark: Bookmark) => Promise<Found>;
  /**
   * For indexes after the first: finds the page and the end of the previous one in one query, and
   * returns whether a page ended there. Without this, the end is looked up first.
   */
  readonly follow?:
    ((bookmark: Bookmark) => Promise<Found & { readonly follows: boolean }>) | undefined;
  /** As in `ListSource`; undefined if every page comes with noted totals. */
  readonly totals?: ((remembered: ListTotals | undefined) => Promise<ListTotals>) | undefined;
}

/**
 * Pages by index that neither skip nor repeat items while the list changes: the end of each page is
 * stored in the database, and a request for the following index gets what comes after the page's
 * last item, however far that has moved (docs/adr/0006). An index at which no page ended is located
 * by counting.
 */
export class PageCursors {
  /** Pages that owners have turned since theirs were last bounded. */
  readonly #turned = new Map<string, number>();

  constructor(private readonly db: Queryable) {}

  /** A page of rows. */
  async page<Row extends { readonly sortKey: readonly string[] }>(
    request: PageRequest,
    source: ListSource<Row>,
  ): Promise<Page<Row>> {
    const { size } = request;
    const find = async (start: PagePosition) => {
      const found = await source.rows(start, size + 1);
      const shown = found.slice(0, size);
      const lastKey = shown.at(-1)?.sortKey;
      return { rows: shown, count: shown.length, more: found.length > size, lastKey };
    };
    const { found, ...page } = await this.turn(request, {
      find,
      totals: (remembered) => source.totals(remembered),
    });
    return { rows: found.rows, ...page };
  }

  /** A page in any form. */
  async turn<Found extends FoundPage>(
    { token, list, index }: PageRequest,
    source: PageSource<Found>,
  ): Promise<{ found: Found; totals: ListTotals; next: number }> {
    const digest = createHash('sha256')
      .update(JSON.stringify([token, list]))
      .digest();
    const owner = ownerOf(currentCaller());
    const listId = Buffer.concat([owner, digest.subarray(0, 16)]);
    await this.#bound(owner);
    const { found, counted, follows } = await this.#find({ list: listId, index }, source);
    if (!counted) throw new Error('a page without totals');
    const { count, more, lastKey } = found;
    const next = index + count;
    const ended = !more && (count > 0 || follows);
    const totals = { ...counted, items: settled(counted, next, more, ended) };
    if (lastKey && !found.noted)
      await upsertCursor(this.db, listId, next, { key: lastKey, totals });
    return { found, totals, next };
  }

  /** Before every thousandth page of an owner, forgets all but the newest ends of its pages. */
  async #bound(owner: Buffer): Promise<void> {
    const key = owner.toString('latin1');
    const turned = (this.#turned.get(key) ?? 0) + 1;
    this.#turned.delete(key);
    if (turned < boundEvery) this.#turned.set(key, turned);
    else await deleteOldCursors(this.db, owner, keptPerOwner);
    const [longest] = this.#turned.size > maxOwners ? this.#turned.keys() : [];
    if (longest !== undefined) this.#turned.delete(longest);
  }

  async #find<Found extends FoundPage>(bookmark: Bookmark, source: PageSource<Found>) {
    const { list, index } = bookmark;
    if (index > 0 && source.follow) {
      const found = await source.follow(bookmark);
      return { found, counted: found.noted, follows: found.follows };
    }
    const before = index === 0 ? undefined : await selectCursor(this.db, list, index);
    const start = before ? { after: before.key, offset: 0 } : { offset: index };
    const [found, total] = await Promise.all([
      source.find(start, bookmark),
      source.totals?.(before?.totals),
    ]);
    return { found, counted: found.noted ?? total, follows: before !== undefined };
  }
}

/**
 * A client continues while `last_index < total_count`. Concurrent changes must neither end its
 * paging early nor keep it going forever, so the total is adjusted to the number of delivered
 * items. A total that is a lower bound rises with each page.
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

/** How the entries of a folder are sorted. */
export interface SortOrder {
  readonly sortBy: 'created_at' | 'updated_at' | 'taken_at' | 'name';
  readonly descending: boolean;
}

interface SortedTable {
  readonly alias: string;
  /** Column with the folder that the rows are in. */
  readonly folder: string;
  /** SQL of what each order sorts by. */
  readonly by: Readonly<Record<SortOrder['sortBy'], string>>;
}

/**
 * The SQL of a sorted page: its ORDER BY, the sort key, and the condition for starting after one.
 * The folder is in the ORDER BY because `IS NULL` does not tell the planner that it is constant.
 */
export function sortOrderSql(
  { sortBy, descending }: SortOrder,
  { alias, folder, by }: SortedTable,
  { after }: PagePosition,
  bind: Bind,
) {
  const byName = sortBy === 'name';
  const column = by[sortBy];
  const id = `${alias}.id`;
  const direction = descending ? 'DESC' : 'ASC';
  const key =
    after && `(${bind(after[0])}::${byName ? 'text' : 'timestamptz'}, ${bind(after[1])}::uuid)`;
  return {
    order: [`${alias}.${folder}`, column, id].map((one) => `${one} ${direction}`).join(', '),
    key: `ARRAY[${byName ? column : instantText(column)}, ${id}::text]`,
    from: key ? `AND (${column}, ${id}) ${descending ? '<' : '>'} ${key}` : '',
  };
}
