import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { ServiceError } from '../../base/errors/catalogue.js';
import { type Bind, instantText } from '../../database/sql.js';
import { ext } from '../record-fields.js';
import { defaultPageSize, lastIndex, pageSize, text } from '../request-fields.js';

/** Where a page begins. */
export interface PagePosition {
  /** Start after the item with this sort key. Omitted: at the start of the list. */
  readonly after?: readonly string[];
  /** Items to skip from there. */
  readonly offset: number;
}

/** The totals of a list. */
export interface ListTotals {
  readonly items: number;
  /** Of the images' current versions. */
  readonly bytes: number;
  /** false: there are at least as many items, and as many bytes (docs/adr/0014). */
  readonly exact?: boolean;
}

/** Bytes of a cursor that prove that it was made here, and for this list. */
const proofBytes = 16;

/** Enough for a name of 255 characters. */
const cursor = text(1, 2_000)
  .optional()
  .meta({
    ...ext,
    description: '`next_cursor` of the page before; goes before last_index and page',
  });

/** The page of a list that is wanted, by the number of the page. */
export const cursorQuery = { cursor, page_size: pageSize.default(defaultPageSize) };

/** The same by the index of its first item. */
export const pageQuery = { last_index: lastIndex.default(0), ...cursorQuery };

/** For lists that have no other fields. */
export const indexQuery = z.object(pageQuery);
export type IndexQuery = z.output<typeof indexQuery>;

const nextCursor = z
  .string()
  .nullable()
  .meta({ ...ext, description: 'for the next page; null at the end' });

/** What every page has. */
const pageResult = {
  count: z.int().meta({ description: 'items in this response' }),
  total_count: z.int(),
  next_cursor: nextCursor,
  page_size: z.int(),
};

/** What pages by index have. */
export const indexedResult = {
  ...pageResult,
  last_index: z
    .int()
    .nullable()
    .meta({ description: 'index to request next; null in responses to a cursor' }),
};

/** What pages by number have. */
export const numberedResult = {
  ...pageResult,
  page: z.int().nullable().meta({ description: 'null in responses to a cursor' }),
  total_pages: z.int(),
};

interface PageRequest {
  /** Everything that determines what is listed and in which order, and its owner; JSON. */
  readonly list: unknown;
  /** 0-based index of the first item. */
  readonly index: number;
  /** Where to begin instead. */
  readonly cursor?: string | undefined;
  readonly size: number;
}

/** A page in any form. */
export interface FoundPage {
  readonly count: number;
  /** Whether anything follows. */
  readonly more: boolean;
  /** Sort key of the last item; undefined if there is none. */
  readonly lastKey: readonly string[] | undefined;
  /** If the statement that found the page read them, too. */
  readonly totals?: ListTotals | undefined;
}

export interface PageSource<Found extends FoundPage> {
  readonly find: (start: PagePosition) => Promise<Found>;
  /** Undefined if every page comes with totals. */
  readonly totals?: (() => Promise<ListTotals>) | undefined;
}

export interface ListSource<Row extends { readonly sortKey: readonly string[] }> {
  /** At most `limit` rows from `start` on, in an order whose last key is the id. */
  rows(start: PagePosition, limit: number): Promise<Row[]>;
  totals(): Promise<ListTotals>;
}

/** A page, and how to go on. */
export interface Page<Found> {
  readonly found: Found;
  readonly totals: ListTotals;
  /** Index to request next; null if the page was asked for by a cursor. */
  readonly next: number | null;
  /** null at the end of the list. */
  readonly nextCursor: string | null;
  readonly size: number;
}

/**
 * Lists page by page (docs/adr/0005). An index is a position in the list as it is at that moment. A
 * cursor says after which item to go on, so that a walk gets every item once, whatever is added or
 * deleted meanwhile. Nothing is remembered between requests.
 */
export class Pages {
  /** @param key authenticates cursors; the same on every node. */
  constructor(private readonly key: Buffer) {}

  /** A page of rows by index, and its fields. @throws ServiceError `invalid_cursor`. */
  async ofRows<Row extends { readonly sortKey: readonly string[] }>(
    list: PageRequest['list'],
    { last_index: index, page_size: size, cursor }: IndexQuery,
    source: ListSource<Row>,
  ) {
    const find = async (start: PagePosition) => {
      const found = await source.rows(start, size + 1);
      const rows = found.slice(0, size);
      const lastKey = rows.at(-1)?.sortKey;
      return { rows, count: rows.length, more: found.length > size, lastKey };
    };
    const asked = { list, index, cursor, size };
    const page = await this.of(asked, { find, totals: () => source.totals() });
    return { fields: indexedFields(page), rows: page.found.rows };
  }

  /** A page in any form. @throws ServiceError `invalid_cursor`. */
  async of<Found extends FoundPage>(
    { list, index, cursor, size }: PageRequest,
    source: PageSource<Found>,
  ): Promise<Page<Found>> {
    const after = cursor === undefined ? undefined : this.#open(list, cursor);
    if (cursor !== undefined && !after) {
      await source.totals?.(); // whose list it is may be unknown, which is said first
      throw invalidCursor();
    }
    const start = after ? { after, offset: 0 } : { offset: index };
    const [found, total] = await Promise.all([source.find(start), source.totals?.()]);
    const counted = found.totals ?? total;
    if (!counted) throw new Error('a page without totals');
    const { count, more, lastKey } = found;
    const nextCursor = more && lastKey ? this.#seal(list, lastKey) : null;
    if (cursor !== undefined) return { found, totals: counted, next: null, nextCursor, size };
    const next = index + count;
    const totals = { ...counted, items: settled(counted, next, found) };
    return { found, totals, next, nextCursor, size };
  }

  #seal(list: unknown, key: readonly string[]): string {
    const said = Buffer.from(JSON.stringify(key));
    return Buffer.concat([this.#proof(list, said), said]).toString('base64url');
  }

  /** The sort key in a cursor of this list; undefined for any other text. */
  #open(list: unknown, cursor: string): readonly string[] | undefined {
    const bytes = Buffer.from(cursor, 'base64url');
    const [proof, said] = [bytes.subarray(0, proofBytes), bytes.subarray(proofBytes)];
    const isOurs =
      bytes.length > proofBytes &&
      bytes.toString('base64url') === cursor &&
      timingSafeEqual(proof, this.#proof(list, said));
    return isOurs ? (JSON.parse(said.toString()) as string[]) : undefined;
  }

  #proof(list: unknown, said: Buffer): Buffer {
    const mac = createHmac('sha256', this.key)
      .update(`${JSON.stringify(list)}\n`)
      .update(said);
    return mac.digest().subarray(0, proofBytes);
  }
}

const invalidCursor = (): ServiceError =>
  new ServiceError('invalid_cursor', {
    field: 'cursor',
    message: 'cursor must be next_cursor of a page of the same list, in the same order.',
  });

/**
 * A client continues while `last_index < total_count`. The page and the total may be of two moments, so
 * the total follows from the page where that knows more. A total that is a lower bound rises with each
 * page.
 */
function settled({ items, exact }: ListTotals, next: number, { more, count }: FoundPage): number {
  if (more) return Math.max(items, next + 1);
  if (count === 0) return items;
  return exact === false ? next : Math.min(items, next);
}

/** The fields of a page by index. */
export const indexedFields = (page: Page<{ count: number }>) => ({
  count: page.found.count,
  total_count: page.totals.items,
  last_index: page.next,
  next_cursor: page.nextCursor,
  page_size: page.size,
});

/** The fields of a page by number. */
export const numberedFields = (
  { found, totals, nextCursor, size }: Page<{ count: number }>,
  { page, cursor }: { readonly page: number; readonly cursor?: string | undefined },
) => ({
  count: found.count,
  total_count: totals.items,
  next_cursor: nextCursor,
  page: cursor === undefined ? page : null,
  page_size: size,
  total_pages: Math.ceil(totals.items / size),
});

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
