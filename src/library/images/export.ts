import type { DataSource, EntityManager } from 'typeorm';
import { only, selectList } from '../../database/columns.js';
import { inTurn, type Queryable, parameters, rows } from '../../database/sql.js';
import { Batches, collect } from '../../http/paging/batches.js';
import { RawJson } from '../../http/paging/batches.js';
import type { Scratch } from '../../http/scratch.js';
import { writeChunk, type StreamedResponse } from '../../http/streamed-response.js';
import { byteOrderMark, cell, type Cell } from './archive/csv.js';
import { type ImageVersion, type UploadType, imageColumns, type Image } from './entity.js';
import { idBatches, selectImageRows, selectEdits } from './images.sql.js';
import { where } from './list/conditions.sql.js';
import type { Filter } from './list/schemas.js';
import type { Box } from './map/cells.js';
import { areaOfBox } from './map/clusters.sql.js';
import { newestFirst } from './page.sql.js';
import { type RecordPages, allImages } from './record-pages.js';
import { type BatchedImageRecord, type ResolveUrl, imageFieldNames } from './record.js';
import type { ImageRecord } from './schemas.js';

// Images that leave: lists as files for users, and whole images for the operator's export.

/** The head, records, and tail of a file of records. */
interface Format {
  readonly type: string;
  readonly head: string;
  readonly record: (record: BatchedImageRecord, isFirst: boolean) => string;
  readonly tail: string;
}

/** Records without includes are entirely in memory. */
const cells = (record: BatchedImageRecord): string =>
  imageFieldNames.map((name) => cell(record[name] as Cell | undefined)).join(',');

const feature = (record: BatchedImageRecord): string => {
  const { lat, lng } = record;
  const geometry = lat === null || lng === null ? null : { type: 'Point', coordinates: [lng, lat] };
  return JSON.stringify({ type: 'Feature', id: record.id, geometry, properties: record });
};

export const formats = {
  geojson: {
    type: 'application/geo+json',
    head: '{"type":"FeatureCollection","features":[\n',
    record: (record, isFirst) => `${isFirst ? '' : ',\n'}${feature(record)}`,
    tail: '\n]}\n',
  },
  csv: {
    type: 'text/csv; charset=utf-8',
    head: `${byteOrderMark}${imageFieldNames.join(',')}\r\n`,
    record: (record) => `${cells(record)}\r\n`,
    tail: '',
  },
  ndjson: {
    type: 'application/x-ndjson',
    head: '',
    record: (record) => `${JSON.stringify(record)}\n`,
    tail: '',
  },
} as const satisfies Record<string, Format>;

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
    const { values, bind } = parameters(userId);
    const inArea = box ? ` AND i.location IS NOT NULL AND ${areaOfBox(box).has('i.location')}` : '';
    const condition = `${where(filter, bind)}${inArea}`;
    let text = format.head;
    let isFirst = true;
    for await (const ids of idBatches(tx, condition, values, newestFirst(filter.sortBy))) {
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

const unrecorded = selectList(only(imageColumns, 'id', 'uploadType', 'unreadFields'));
type Unrecorded = Pick<Image, 'id' | 'uploadType' | 'unreadFields'>;

/** What records omit but an import needs. */
const selectUnrecorded = (db: Queryable, imageIds: readonly string[]): Promise<Unrecorded[]> =>
  rows(db, `SELECT ${unrecorded} FROM images WHERE id = ANY ($1::uuid[])`, [imageIds]);

/** An image with everything that belongs to it. */
export interface ExportedImage {
  readonly record: ImageRecord;
  readonly uploadType: UploadType;
  /** Fields of the record that have yet to be read from the file. */
  readonly unread: readonly string[];
  /** The upload and all edits, in order. */
  readonly versions: readonly ImageVersion[];
}

/** Every image of a user, trash included, as a transaction sees them. */
export async function* exportedImages(
  tx: Queryable,
  pages: RecordPages,
  userId: string,
): AsyncGenerator<ExportedImage> {
  for await (const batch of allImages(tx, pages, userId, (url) => url)) {
    const ids = batch.map(({ id }) => id);
    const versions = new Map<string, ImageVersion[]>(ids.map((id) => [id, []]));
    for (const one of await selectEdits(tx, ids, { after: -1, limit: null })) {
      versions.get(one.imageId)?.push(one);
    }
    const others = new Map((await selectUnrecorded(tx, ids)).map((other) => [other.id, other]));
    for (const record of batch) {
      yield {
        record: await whole(record),
        uploadType: others.get(record.id)?.uploadType ?? 'gallery',
        unread: others.get(record.id)?.unreadFields ?? [],
        versions: versions.get(record.id) ?? [],
      };
    }
  }
}

/** Memory is bounded by the limits on memos and customs. */
async function whole(record: BatchedImageRecord): Promise<ImageRecord> {
  const { memos, customs, filedatas } = record;
  return {
    ...record,
    memos: memos && (await asArray(memos)),
    customs: customs && (await asArray(customs)),
    filedatas: filedatas && (await asArray(filedatas)),
  };
}

async function asArray<Item>(
  list: readonly Item[] | Batches<Item> | RawJson<Item>,
): Promise<Item[]> {
  if (list instanceof RawJson) throw new Error('records of rows have no texts');
  return list instanceof Batches ? collect(list) : [...list];
}
