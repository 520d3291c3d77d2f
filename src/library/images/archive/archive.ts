import type { Writable } from 'node:stream';
import type { DataSource } from 'typeorm';
import { ServiceError } from '../../../base/errors/catalogue.js';
import { RangedResponse } from '../../../http/ranged-response.js';
import { writeChunk } from '../../../http/streamed-response.js';
import type { ByteRange } from '../../../store/port.js';
import type { IncludeOptions } from '../record-pages.js';
import type { Filter } from '../list/schemas.js';
import { selectMatchingIds } from '../list/list.sql.js';
import type { ResolveUrl } from '../record.js';
import { Checksums, ObjectMissingError, objectBytes } from './object-bytes.js';
import { ArchivePlan, type PlanParts } from './plan.js';
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
