import { Batches, BatchReader } from '../../../http/paging/batches.js';

export interface GroupingFunctions<Row, Item, Key, Run> {
  readonly ofRow: (row: Row) => Key;
  readonly ofItem: (item: Item) => Key;
  /** Combines consecutive items that have the same key. */
  readonly run: (key: Key, count: number, items: Item[] | Batches<Item>) => Run;
}

/**
 * Groups consecutive items of a list by a common key, such as their day.
 * @param rows the rows that the items are made from.
 */
export function groupConsecutive<Row, Item, Key, Run>(
  rows: readonly Row[],
  items: Item[] | Batches<Item>,
  { ofRow, ofItem, run }: GroupingFunctions<Row, Item, Key, Run>,
): Run[] | Batches<Run> {
  const runs: { key: Key; count: number }[] = [];
  for (const row of rows) {
    const key = ofRow(row);
    const last = runs.at(-1);
    if (last?.key === key) last.count += 1;
    else runs.push({ key, count: 1 });
  }
  if (items instanceof Batches) {
    const cursor = new BatchReader<Item>(items.batches);
    const itemsOf = (key: Key) => new Batches(cursor.while((item) => ofItem(item) === key));
    return new Batches(oneByOne(runs.map(({ key, count }) => run(key, count, itemsOf(key)))));
  }
  let start = 0;
  return runs.map(({ key, count }) => run(key, count, items.slice(start, (start += count))));
}

async function* oneByOne<Item>(items: readonly Item[]): AsyncGenerator<Item[]> {
  for (const item of items) yield [item];
}
