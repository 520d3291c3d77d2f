/**
 * Thrown into JSON.stringify, which can neither wait for an array nor take text as it is; a single
 * instance, since nobody looks at its stack.
 */
export const notPlain = new Error('This array has a writer of its own.');

/** Whether JSON.stringify encountered an array in batches or as text. */
export const isNotPlain = (error: unknown): boolean => error === notPlain;

/**
 * An array in a result that is JSON text already, as PostgreSQL made it: it is sent as it is,
 * neither parsed nor serialized again.
 */
export class RawJson<Item> {
  /** Never set: the type of what the text says. */
  declare readonly item: Item;

  /** @param bytes the text in UTF-8. */
  constructor(readonly bytes: Buffer) {}

  toJSON(): never {
    throw notPlain;
  }
}

/** A result, or a part of one, that is JSON text already and comes in pieces. */
export class JsonText {
  constructor(readonly pieces: AsyncIterable<string>) {}

  toJSON(): never {
    throw notPlain;
  }
}
