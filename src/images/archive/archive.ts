import { Readable, addAbortSignal } from 'node:stream';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { DataSource } from 'typeorm';
import { ZipFile } from 'yazl';
import { guarded } from '../../guarded.js';
import { keepCaller } from '../../database/callers.js';
import type { PackedIds } from '../../database/packed-ids.js';
import { StreamedResponse, writePiece } from '../../http/streamed-response.js';
import { objectKey } from '../../store/object-key.js';
import type { ObjectBody, ObjectStore } from '../../store/port.js';
import type { WallClock } from '../../time.js';
import { csvHead, csvLine } from './csv.js';
import type { Filter } from '../list/filter.js';
import { selectMatchingIds } from '../list/queries.js';
import { selectImageRows } from '../queries.js';
import type { ImageRow } from '../queries.js';
import type { ResolveUrl, BatchedImageRecord } from '../record.js';
import type { IncludeOptions } from '../includes.js';
import type { Images } from '../service.js';

/** Rows fetched at a time. */
const batchSize = 50;

interface Picture {
  readonly row: ImageRow;
  readonly body: ObjectBody;
}

interface ArchiveRequest {
  readonly ids: PackedIds;
  readonly include: IncludeOptions;
  readonly resolveUrl: ResolveUrl;
}

/** Images as a ZIP: the current version of each as uploaded, and their records as a table. */
export class Archives {
  constructor(
    private readonly db: DataSource,
    private readonly images: Images,
    private readonly store: Pick<ObjectStore, 'get'>,
    private readonly clock: WallClock,
  ) {}

  /**
   * An archive of all images that match a filter, produced while it is sent, one image at a time.
   */
  async of(
    userId: string,
    filter: Filter,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<StreamedResponse> {
    const ids = await selectMatchingIds(this.db, userId, filter);
    const name = `images_${this.clock.format(new Date())}.zip`;
    return new StreamedResponse(
      {
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'private, no-store',
      },
      (destination, signal) => this.#write({ ids, include, resolveUrl }, destination, signal),
    );
  }

  async #write(wanted: ArchiveRequest, destination: Writable, signal: AbortSignal): Promise<void> {
    const pictures = this.#pictures(wanted);
    // Before the first byte, so that an unavailable store is still an ordinary error.
    let next = await pictures.next();
    const zip = new ZipFile();
    const halt = new AbortController();
    const until = AbortSignal.any([signal, halt.signal]);
    const fail = (error: unknown): void => halt.abort(error);
    zip.once('error', guarded(fail, fail));
    const sent = send(zip, destination, until);
    sent.catch(fail);
    try {
      const names = new Names();
      for (; !next.done; next = await pictures.next()) {
        const { row, body } = next.value;
        const options = { size: body.bytes, mtime: row.createdAt, compress: false };
        await add(zip, body.stream, names.give(row), options, until);
      }
      const table = Readable.from(keepCaller(this.#table(wanted, names)), { objectMode: false });
      await add(zip, table, 'images.csv', { mtime: new Date() }, until);
      zip.end();
      await sent;
    } catch (error) {
      // A halted stream reports only that it was halted; the halt's reason is the real error.
      const reason: unknown = halt.signal.aborted ? halt.signal.reason : error;
      halt.abort(reason);
      await sent.catch(() => undefined);
      throw reason;
    }
  }

  /** Opened on demand; images deleted in the meantime are omitted. */
  async *#pictures(wanted: ArchiveRequest): AsyncGenerator<Picture> {
    for await (const batch of this.#batches(wanted)) {
      for (const row of batch) {
        const { platformId, userId, id: imageId, versionId, extension } = row;
        const version = { platformId, userId, imageId, versionId };
        const body = await this.store.get(objectKey(version, 'original', extension));
        if (body) yield { row, body };
      }
    }
  }

  /** The lines of images.csv, for the images that made it into the archive. */
  async *#table(wanted: ArchiveRequest, names: Names): AsyncGenerator<string> {
    yield csvHead;
    for await (const batch of this.#batches(wanted)) {
      const put = batch.filter(({ id }) => names.of(id) !== undefined);
      const shape = (record: BatchedImageRecord) => record;
      const records = this.images.batches(put, { ...wanted, shape });
      for await (const few of records) {
        for (const record of few) yield* csvLine(names.of(record.id) ?? '', record);
      }
    }
  }

  async *#batches({ ids }: ArchiveRequest): AsyncGenerator<ImageRow[]> {
    for (const slice of ids.slices(batchSize)) yield await selectImageRows(this.db, slice);
  }
}

/**
 * Writes an archive as it is made. Not by `pipeline`: that alone adds seven listeners for the end of
 * an answer, which has four of its own, and Node warns of more than ten.
 */
async function send(zip: ZipFile, destination: Writable, signal: AbortSignal): Promise<void> {
  const pieces = addAbortSignal(signal, zip.outputStream as Readable);
  for await (const piece of pieces) await writePiece(destination, piece as Buffer, signal);
  destination.end();
}

/**
 * Adds an entry and waits until its source has been read to the end; closes the source in any case.
 */
async function add(
  zip: ZipFile,
  source: Readable,
  name: string,
  options: { size?: number; mtime: Date; compress?: boolean },
  signal: AbortSignal,
): Promise<void> {
  try {
    signal.throwIfAborted();
    zip.addReadStream(source, name, options);
    await finished(source, { signal });
  } finally {
    source.destroy();
  }
}

/** Entry names: the filename of each image, with a number added to duplicates. */
class Names {
  readonly #byImage = new Map<string, string>();
  readonly #taken = new Set(['images.csv']);

  give({ id, filename }: ImageRow): string {
    let name = filename;
    for (let n = 2; this.#taken.has(name); n += 1)
      name = filename.replace(/(?=\.[^.]*$)/, ` (${n})`);
    this.#taken.add(name);
    this.#byImage.set(id, name);
    return name;
  }

  of(imageId: string): string | undefined {
    return this.#byImage.get(imageId);
  }
}
