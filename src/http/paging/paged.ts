import { Batches } from './batches.js';

/** Where a page begins: after the last row of the previous page, if any. */
export interface NextPage<Row> {
  readonly last: Row | undefined;
  readonly limit: number;
}

/** A row listed by time, with its timestamp as PostgreSQL writes it: more precise than a Date. */
export type WithSortTime<Row> = Row & { readonly sortTime: string };

/**
 * A list that may be long: an array if it fits on one page, otherwise in batches, one page at a
 * time.
 * @param select at most `limit` rows after `last`, in a stable order.
 * @param limit rows per page.
 */
export async function paged<Row, Item>(
  select: (start: NextPage<Row>) => Promise<Row[]>,
  item: (row: Row) => Item,
  limit = 100,
): Promise<Item[] | Batches<Item>> {
  const first = await select({ last: undefined, limit });
  if (first.length < limit) return first.map(item);
  return new Batches(pages(first, select, item, limit));
}

async function* pages<Row, Item>(
  first: Row[],
  select: (start: NextPage<Row>) => Promise<Row[]>,
  item: (row: Row) => Item,
  limit: number,
): AsyncGenerator<Item[]> {
  for (let page = first; page.length > 0;) {
    yield page.map(item);
    if (page.length < limit) return;
    page = await select({ last: page.at(-1), limit });
  }
}
