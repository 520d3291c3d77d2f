import type { Writable } from 'node:stream';
import type { DataSource } from 'typeorm';
import { ServiceError } from '../../errors/catalogue.js';
import { RangedResponse } from '../../http/ranged-response.js';
import { writePiece } from '../../http/streamed-response.js';
import type { ByteRange } from '../../store/port.js';
import { Checksums } from './checksums.js';
import type { Filter } from '../list/filter.js';
import { selectMatchingIds } from '../list/queries.js';
import type { ResolveUrl } from '../record.js';
import type { IncludeOptions } from '../includes.js';
import { ObjectMissingError, objectBytes } from './object-bytes.js';
import { ArchivePlan } from './plan.js';
import type { PlanParts } from './plan.js';
import { zipBytes } from './zip.js';
import type { ZipSource } from './zip.js';

/** Bytes that are sent at once where the pieces are smaller. */
const sentAtOnce = 32 * 1024;

/** Images as a ZIP: the current version of each as uploaded, and their records as a table. */
export class Archives {
  constructor(
    private readonly db: DataSource,
    private readonly parts: PlanParts,
  ) {}

  /**
   * An archive of all images that match a filter, produced while it is sent, one image at a time. As
   * long as neither they nor their records change, it is the same to the byte, so that a download
   * that broke off can go on (docs/adr/0042).
   */
  async of(
    userId: string,
    filter: Filter,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<RangedResponse> {
    const plan = await this.db.transaction('REPEATABLE READ', async (tx) => {
      const ids = await selectMatchingIds(tx, userId, filter);
      return ArchivePlan.make(this.parts, tx, { ids, include, resolveUrl });
    });
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
      for await (const piece of pieces) await writePiece(destination, piece, signal);
      destination.end();
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) throw error;
      await checksums.keepMissing(error.object);
      const message = 'An image of the archive is missing; the next archive does without it.';
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
 * The same bytes in pieces of a certain size at least. The header of the first image so comes with
 * its first bytes: a store that is unavailable then is still an ordinary error.
 */
async function* joined(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let few: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    few.push(piece);
    bytes += piece.length;
    if (bytes < sentAtOnce) continue;
    yield few.length === 1 ? piece : Buffer.concat(few);
    few = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(few);
}
