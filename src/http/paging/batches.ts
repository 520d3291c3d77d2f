import { notPlain } from './raw-json.js';
import type { RawJson } from './raw-json.js';

/**
 * An array in a result that is produced while it is sent, one batch at a time: for arrays that may
 * be large. It can be read only once.
 */
export class Batches<Item> {
  constructor(readonly batches: AsyncIterable<readonly Item[]>) {}

  toJSON(): never {
    throw notPlain;
  }
}

/** Collects an array that may come in batches, for callers that need it as a whole. */
export async function collect<Item>(list: Item[] | Batches<Item>): Promise<Item[]> {
  if (!(list instanceof Batches)) return list;
  const items: Item[] = [];
  for await (const batch of list.batches) items.push(...batch);
  return items;
}

/** A result in which any array may come in batches, or as JSON text. */
export type MaybeBatched<T> = T extends readonly (infer Item)[]
  ? readonly MaybeBatched<Item>[] | Batches<MaybeBatched<Item>> | RawJson<Item>
  : T extends object
    ? { readonly [K in keyof T]: MaybeBatched<T[K]> }
    : T;

/** A sequence of items with one item of lookahead. */
export class BatchReader<Item> {
  readonly #batches: AsyncIterator<readonly Item[]>;
  #batch: readonly Item[] = [];
  #next = 0;

  constructor(batches: AsyncIterable<readonly Item[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** The next item, without consuming it; undefined past the end. */
  async peek(): Promise<Item | undefined> {
    while (this.#next >= this.#batch.length) {
      const next = await this.#batches.next();
      if (next.done) return undefined;
      this.#batch = next.value;
      this.#next = 0;
    }
    return this.#batch[this.#next];
  }

  /** Consumes the item that `peek` returned. */
  skip(): void {
    this.#next += 1;
  }

  /** All items from here on for as long as they belong together, in batches. */
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
