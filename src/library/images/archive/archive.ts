import { addAbortSignal, type Writable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { DataSource } from 'typeorm';
import { ServiceError } from '../../../base/errors/catalogue.js';
import { rows, type Queryable } from '../../../database/sql.js';
import { RangedResponse } from '../../../http/ranged-response.js';
import { writeChunk } from '../../../http/streamed-response.js';
import type { ByteRange } from '../../../store/port.js';
import type { IncludeOptions } from '../record-pages.js';
import type { Filter } from '../list/schemas.js';
import { selectMatchingIds } from '../list/list.sql.js';
import type { ResolveUrl } from '../record.js';
import {
  ArchivePlan,
  missingObject,
  type ArchivedObject,
  type Objects,
  type PlanParts,
} from './plan.js';
import { zipBytes, type ZipSource } from './zip.js';

/** Minimum number of bytes per write; smaller chunks are joined. */
const minChunkBytes = 32 * 1024;

/** Images as a ZIP: the current version of each as uploaded, and their records as a table. */
export class Archives {
  constructor(
    private readonly db: DataSource,
    private readonly parts: PlanParts,
  ) {}

  /**
   * An archive of all images that match a filter, produced while it is sent, one image at a time.
   * As long as neither the images nor their records change, it is identical to the byte, so that an
   * interrupted download can resume.
   */
  async of(
    userId: string,
    filter: Filter,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<RangedResponse> {
    const plan = await this.parts.scratch.longRead(() =>
      this.db.transaction('REPEATABLE READ', async (tx) => {
        const ids = await selectMatchingIds(tx, userId, filter);
        return ArchivePlan.make(this.parts, tx, { ids, include, resolveUrl });
      }),
    );
    const name = `images_${this.parts.clock.format(new Date())}.zip`;
    return new RangedResponse({
      bytes: plan.extent.total,
      etag: plan.etag,
      headers: {
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'private, no-cache',
      },
      write: (range, destination, signal) => this.#write(plan, range, destination, signal),
      release: () => plan.close(),
    });
  }

  async #write(
    plan: ArchivePlan,
    { start, end }: ByteRange,
    destination: Writable,
    signal: AbortSignal,
  ): Promise<void> {
    const checksums = new Checksums(this.db, this.parts.store, signal);
    const list = (): AsyncGenerator<ZipSource> => this.#sources(plan, checksums, signal);
    try {
      const pieces = joined(zipBytes(list, plan.extent, start, end + 1));
      for await (const piece of pieces) await writeChunk(destination, piece, signal);
      destination.end();
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) throw error;
      await checksums.keepMissing(error.object);
      const message =
        'The file of an image in the archive is missing; the next archive omits the image.';
      throw new ServiceError('unavailable', { message, retryAfter: 1, cause: error });
    } finally {
      await checksums.keep();
    }
  }

  async *#sources(
    plan: ArchivePlan,
    checksums: Checksums,
    signal: AbortSignal,
  ): AsyncGenerator<ZipSource> {
    const { store } = this.parts;
    for await (const image of plan.images()) {
      yield {
        ...image,
        crc32: () => checksums.of(image),
        read: (start, end) => objectBytes(store, image, { start, end }, signal),
      };
    }
    const { table } = plan;
    yield {
      ...table,
      crc32: async () => table.crc32,
      read: (start, end) => plan.tableBytes(start, end),
    };
  }
}

/**
 * Joins chunks to a minimum size. The header of the first image is thus sent together with its
 * first bytes, so that an unavailable store still results in an ordinary error response.
 */
async function* joined(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let buffered: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    buffered.push(piece);
    bytes += piece.length;
    if (bytes < minChunkBytes) continue;
    yield buffered.length === 1 ? piece : Buffer.concat(buffered);
    buffered = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(buffered);
}

/**
 * The object of a row is missing in the store: the image has been deleted, or the store is damaged.
 */
class ObjectMissingError extends Error {
  override readonly name = 'ObjectMissingError';

  constructor(readonly object: ArchivedObject) {
    super(`the object ${object.key} is missing`);
  }
}

/**
 * Bytes of an object from `start` up to `end`, exclusive.
 * @throws ObjectMissingError; Error if the object does not have the expected size.
 */
async function* objectBytes(
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
class Checksums {
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
