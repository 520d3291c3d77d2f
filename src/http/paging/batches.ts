/**
 * Thrown to abort JSON.stringify, which can neither wait for an array nor embed raw text; a single
 * instance, since its stack is never used.
 */
const notPlain = new Error('This array has a writer of its own.');

/** Whether JSON.stringify encountered an array in batches or as text. */
export const isNotPlain = (error: unknown): boolean => error === notPlain;

/**
 * A result, or a part of one, that is already JSON text. It is sent unchanged, neither parsed nor
 * serialized again; text that may be long comes in chunks, while it is sent.
 */
export class RawJson<T> {
  /** Never set; what the text is of. */
  declare readonly of: T;

  /** @param text buffers are UTF-8. */
  constructor(readonly text: Buffer | AsyncIterable<Buffer | string>) {}

  toJSON(): never {
    throw notPlain;
  }
}

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

/** The whole of a text, for callers that need it. */
export async function collectText({ text }: RawJson<unknown>): Promise<string> {
  if (Buffer.isBuffer(text)) return text.toString();
  const chunks: Buffer[] = [];
  for await (const chunk of text) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

/** A result in which anything may be JSON text, and any array may come in batches. */
export type MaybeBatched<T> =
  | RawJson<T>
  | (T extends readonly (infer Item)[]
      ? readonly MaybeBatched<Item>[] | Batches<MaybeBatched<Item>>
      : T extends object
        ? { readonly [K in keyof T]: MaybeBatched<T[K]> }
        : T);

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
}

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
