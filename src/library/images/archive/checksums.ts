import { crc32 } from 'node:zlib';
import type { Queryable } from '../../../database/sql.js';
import { keepChecksums, missingObject } from './checksum.sql.js';
import { objectBytes } from './object-bytes.js';
import type { ArchivedObject, Objects } from './object-bytes.js';

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
