/** The fields of every page requested by `last_index`. */
export interface ReadPage<Item> {
  readonly count: number;
  readonly total_count: number;
  readonly last_index: number;
  readonly items: readonly Item[];
}

/**
 * Pages through a list as clients do, until the responses say that it is complete. @returns all
 * items.
 */
export async function readPages<Item>(
  page: (lastIndex: number) => Promise<ReadPage<Item>>,
  between: (pages: number) => Promise<unknown> = async () => undefined,
): Promise<Item[]> {
  const seen: Item[] = [];
  for (let index = 0, pages = 1; pages <= 50; pages += 1) {
    const { count, items, last_index, total_count } = await page(index);
    if (count !== items.length || last_index !== index + count) throw new Error('wrong counts');
    seen.push(...items);
    index = last_index;
    if (index >= total_count) return seen;
    await between(pages);
  }
  throw new Error('paging did not end');
}
