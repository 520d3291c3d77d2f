/** The fields of every page of a list. */
export interface ReadPage<Item> {
  readonly count: number;
  readonly total_count: number;
  /** null in responses to a cursor. */
  readonly last_index: number | null;
  readonly next_cursor: string | null;
  readonly items: readonly Item[];
}

/** Which page is asked for, as parameters of a query. */
export type PageAt = Readonly<Record<string, string>>;

/** Enough for the lists of tests. */
const mostPages = 50;

/**
 * Pages by index through a list that nobody changes, until the responses say that it is complete.
 * @returns all items.
 */
export async function readPages<Item>(
  page: (at: PageAt) => Promise<ReadPage<Item>>,
): Promise<Item[]> {
  const seen: Item[] = [];
  for (let pages = 1; pages <= mostPages; pages += 1) {
    const index = seen.length;
    const { count, items, last_index, total_count } = await page({ last_index: `${index}` });
    if (count !== items.length || last_index !== index + count) throw new Error('wrong counts');
    seen.push(...items);
    if (last_index >= total_count) return seen;
  }
  throw new Error('paging did not end');
}

/**
 * Walks through a list by cursor, until there is none. @param between runs after each page but the
 * last. @returns all items.
 */
export async function walkPages<Item>(
  page: (at: PageAt) => Promise<ReadPage<Item>>,
  between: (pages: number) => Promise<unknown> = async () => undefined,
): Promise<Item[]> {
  const seen: Item[] = [];
  let at: PageAt = {};
  for (let pages = 1; pages <= mostPages; pages += 1) {
    const { count, items, last_index, next_cursor } = await page(at);
    const index = pages === 1 ? count : null;
    if (count !== items.length || last_index !== index) throw new Error('wrong counts');
    seen.push(...items);
    if (next_cursor === null) return seen;
    at = { cursor: next_cursor };
    await between(pages);
  }
  throw new Error('paging did not end');
}
