/**
 * Thrown to abort JSON.stringify, which can neither wait for an array nor embed raw text; a single
 * instance, since its stack is never used.
 */
export const notPlain = new Error('This array has a writer of its own.');

/** Whether JSON.stringify encountered an array in batches or as text. */
export const isNotPlain = (error: unknown): boolean => error === notPlain;

/**
 * An array in a result that is already JSON text, written by PostgreSQL. It is sent unchanged,
 * neither parsed nor serialized again.
 */
export class RawJson<Item> {
  /** Never set; the type of an item of the text. */
  declare readonly item: Item;

  /** @param bytes the text in UTF-8. */
  constructor(readonly bytes: Buffer) {}

  toJSON(): never {
    throw notPlain;
  }
}

/** A result, or a part of one, that is already JSON text and comes in chunks. */
export class JsonText {
  constructor(readonly chunks: AsyncIterable<string>) {}

  toJSON(): never {
    throw notPlain;
  }
}
