import type { DataSource, EntityManager } from 'typeorm';
import { inTurn, type Queryable } from '../../../database/sql.js';
import type { Scratch } from '../../../http/scratch.js';
import { writeChunk, type StreamedResponse } from '../../../http/streamed-response.js';
import { idBatches, selectImageRows } from '../images.sql.js';
import type { Filter } from '../list/schemas.js';
import type { Box } from '../map/cells.js';
import { newestFirst } from '../page.sql.js';
import type { BatchedImageRecord, ResolveUrl } from '../record.js';
import type { RecordPages } from '../record-pages.js';
import type { Format } from './formats.js';
import { exportCondition } from './exported-images.js';

/** Images whose rows are held in memory at a time. */
const atOnce = 50;

export interface ExportParts {
  readonly db: DataSource;
  /** Records as they are within a transaction. */
  readonly pagesOf: (tx: Queryable) => RecordPages;
  readonly scratch: Scratch;
}

export interface ExportRequest {
  readonly userId: string;
  readonly filter: Filter;
  readonly box: Box | undefined;
  readonly format: Format;
}

const include = { memos: false, customs: false, history: false };
const shape = (record: BatchedImageRecord): BatchedImageRecord => record;

/** Lists of a user's images as files. */
export class ImageExports {
  constructor(private readonly parts: ExportParts) {}

  /** All matches, newest first, as of one moment. */
  of(wanted: ExportRequest, resolveUrl: ResolveUrl): StreamedResponse {
    return this.parts.scratch.response(wanted.format.type, (destination, signal) =>
      this.parts.db.transaction('REPEATABLE READ', async (tx) => {
        for await (const piece of this.#pieces(tx, wanted, resolveUrl)) {
          await writeChunk(destination, piece, signal);
        }
      }),
    );
  }

  async *#pieces(
    tx: EntityManager,
    { userId, filter, box, format }: ExportRequest,
    resolveUrl: ResolveUrl,
  ): AsyncGenerator<string> {
    const pages = this.parts.pagesOf(inTurn(tx));
    const { condition, values } = exportCondition(userId, filter, box);
    let text = format.head;
    let isFirst = true;
    for await (const ids of idBatches(tx, condition, values, newestFirst)) {
      for (let n = 0; n < ids.length; n += atOnce) {
        const images = await selectImageRows(tx, ids.slice(n, n + atOnce));
        for await (const records of pages.batches(images, { include, resolveUrl, shape })) {
          for (const record of records) {
            text += format.record(record, isFirst);
            isFirst = false;
          }
        }
        yield text;
        text = '';
      }
    }
    yield text + format.tail;
  }
}
