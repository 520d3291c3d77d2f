import { addAbortSignal } from 'node:stream';
import { crc32 } from 'node:zlib';
import { rows, type Queryable } from '../../../database/sql.js';
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

/** Computed checksums that are stored per statement. */
const keptAtOnce = 50;

/** CRC-32 of objects from before it was stored: computed on demand, then stored. */
export class Checksums {
  /** Not stored yet, by version. */
  #computed = new Map<string, number>();
  /** All computed for this archive, by version; its directory needs them again. */
  readonly #known = new Map<string, number>();

  constructor(
    private readonly db: Queryable,
    private readonly store: Objects,
    private readonly signal: AbortSignal,
  ) {}

  async of(object: ArchivedObject): Promise<number> {
    const known = object.crc32 ?? this.#known.get(object.versionId);
    if (known !== undefined) return known;
    let checksum = 0;
    const pieces = objectBytes(this.store, object, { start: 0, end: object.bytes }, this.signal);
    for await (const piece of pieces) checksum = crc32(piece, checksum);
    this.#known.set(object.versionId, checksum);
    this.#computed.set(object.versionId, checksum);
    if (this.#computed.size >= keptAtOnce) await this.keep();
    return checksum;
  }

  /** Stores what has been computed, so that the next request need not compute it again. */
  async keep(): Promise<void> {
    const computed = this.#computed;
    this.#computed = new Map();
    if (computed.size > 0) await keepChecksums(this.db, computed);
  }

  /** Marks the object as missing, so that the next archive omits it. */
  async keepMissing({ versionId }: ArchivedObject): Promise<void> {
    await keepChecksums(this.db, new Map([[versionId, missingObject]]));
  }
}

/** Stored in place of a CRC-32 for a version whose object was missing. */
export const missingObject = -1;

/** The stored CRC-32 of versions, by version id. */
export async function selectChecksums(
  db: Queryable,
  versionIds: readonly string[],
): Promise<Map<string, number>> {
  const kept = await rows<{ id: string; crc32: number }>(
    db,
    `SELECT id, crc32::float8 AS crc32 FROM image_versions
     WHERE id = ANY ($1::uuid[]) AND crc32 IS NOT NULL`,
    [versionIds],
  );
  return new Map(kept.map(({ id, crc32 }) => [id, crc32]));
}

/**
 * Stores computed checksums. Skips locked versions, such as those being deleted, so that nothing
 * waits here.
 */
const keepChecksums = (db: Queryable, checksums: ReadonlyMap<string, number>): Promise<unknown> =>
  rows(
    db,
    `WITH free AS (
       SELECT v.id, known.crc32
       FROM unnest($1::uuid[], $2::bigint[]) AS known (id, crc32) JOIN image_versions v USING (id)
       ORDER BY v.id FOR NO KEY UPDATE OF v SKIP LOCKED
     )
     UPDATE image_versions v SET crc32 = free.crc32 FROM free WHERE v.id = free.id`,
    [[...checksums.keys()], [...checksums.values()]],
  );
