/** Told to JSON.stringify, which cannot wait; one for all, since nobody looks where it came from. */
const cannotWait = new Error('An array in batches can only be streamed.');

/** Whether JSON.stringify met an array in batches. */
export const isInBatches = (error: unknown): boolean => error === cannotWait;

/**
 * An array of a result that is made while it is sent, a batch at a time: for arrays that may be
 * large. Each can be read once.
 */
export class Batches<Item> {
  constructor(readonly batches: AsyncIterable<readonly Item[]>) {}

  toJSON(): never {
    throw cannotWait;
  }
}

/** An array that may come in batches, as one: for those who have to hold it whole. */
export async function whole<Item>(list: Item[] | Batches<Item>): Promise<Item[]> {
  if (!(list instanceof Batches)) return list;
  const items: Item[] = [];
  for await (const batch of list.batches) items.push(...batch);
  return items;
}

/** A result in which every array may come in batches. */
export type InBatches<T> = T extends readonly (infer Item)[]
  ? readonly InBatches<Item>[] | Batches<InBatches<Item>>
  : T extends object
    ? { readonly [K in keyof T]: InBatches<T[K]> }
    : T;

/** Items one after the other, with a look ahead. */
export class Cursor<Item> {
  readonly #batches: AsyncIterator<readonly Item[]>;
  #batch: readonly Item[] = [];
  #next = 0;

  constructor(batches: AsyncIterable<readonly Item[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** The next item, which stays; undefined behind the last. */
  async peek(): Promise<Item | undefined> {
    while (this.#next >= this.#batch.length) {
      const next = await this.#batches.next();
      if (next.done) return undefined;
      this.#batch = next.value;
      this.#next = 0;
    }
    return this.#batch[this.#next];
  }

  /** Goes on behind the item that `peek` told of. */
  skip(): void {
    this.#next += 1;
  }

  /** All items from here on as long as they belong together, in batches. */
  async *while(belongs: (item: Item) => boolean): AsyncGenerator<readonly Item[]> {
    for (let item = await this.peek(); item !== undefined && belongs(item);) {
      const rest = this.#batch.slice(this.#next);
      const end = rest.findIndex((one) => !belongs(one));
      const together = end < 0 ? rest : rest.slice(0, end);
      this.#next += together.length;
      yield together;
      item = await this.peek();
    }
  }
}
