import { addAbortSignal } from 'node:stream';
import type { ObjectStore } from '../../../store/port.js';

export type Objects = Pick<ObjectStore, 'get' | 'stat'>;

/** Identifies the object with the bytes of an entry. */
export interface ArchivedObject {
  readonly versionId: string;
  readonly key: string;
  readonly bytes: number;
  /** Undefined if it is not stored yet. */
  readonly crc32?: number | undefined;
}

/**
 * The object of a row is missing in the store: the image has been deleted, or the store is damaged.
 */
export class ObjectMissingError extends Error {
  override readonly name = 'ObjectMissingError';

  constructor(readonly object: ArchivedObject) {
    super(`the object ${object.key} is missing`);
  }
}

/**
 * Bytes of an object from `start` up to `end`, exclusive.
 * @throws ObjectMissingError; Error if the object does not have the expected size.
 */
export async function* objectBytes(
  store: Objects,
  object: ArchivedObject,
  { start, end }: { readonly start: number; readonly end: number },
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  signal.throwIfAborted();
  const whole = start === 0 && end === object.bytes;
  const body = await store.get(object.key, whole ? undefined : { start, end: end - 1 });
  if (!body) throw new ObjectMissingError(object);
  const stream = addAbortSignal(signal, body.stream);
  try {
    if (body.bytes !== object.bytes) {
      throw new Error(
        `the object ${object.key} has ${body.bytes} bytes instead of ${object.bytes}`,
      );
    }
    let left = end - start;
    for await (const piece of stream as AsyncIterable<Buffer>) {
      left -= piece.length;
      yield piece;
    }
    if (left !== 0) throw new Error(`the object ${object.key} is shorter than expected`);
  } finally {
    stream.destroy();
  }
}
