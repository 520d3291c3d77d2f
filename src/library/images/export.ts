import type { DataSource, EntityManager } from 'typeorm';
import { only, selectList } from '../../database/columns.js';
import { inTurn, type Queryable, parameters, rows } from '../../database/sql.js';
import { Batches, collect, RawJson } from '../../http/paging/batches.js';
import type { Scratch } from '../../http/scratch.js';
import { writeChunk, type StreamedResponse } from '../../http/streamed-response.js';
import { byteOrderMark, cell } from './archive/csv.js';
import { type ImageVersion, type UploadType, imageColumns, type Image } from './entity.js';
import { selectEdits } from './images.sql.js';
import { where } from './list/conditions.sql.js';
import type { Filter } from './list/schemas.js';
import type { Box } from './map/cells.js';
import { areaOfBox } from './map/clusters.sql.js';
import { newestFirst } from './page.sql.js';
import { includeAll, type RecordPages } from './record-pages.js';
import { type BatchedImageRecord, type ResolveUrl, imageFieldNames } from './record.js';
import type { ImageRecord } from './schemas.js';

// Images that leave: lists as files for users, and whole images for the operator's export.

/** The head, records, and tail of a file of records. */
interface Format {
  readonly type: string;
  readonly head: string;
  /** @param json a record without includes; like the result, one character for each byte. */
  readonly record: (json: string, isFirst: boolean) => string;
  readonly tail: string;
}

const parsed = (json: string): ImageRecord =>
  JSON.parse(Buffer.from(json, 'latin1').toString()) as ImageRecord;

function cells(json: string): string {
  const record = parsed(json);
  const text = imageFieldNames.map((name) => cell(record[name])).join(',');
  return Buffer.from(text).toString('latin1');
}

function feature(json: string): string {
  const { id, lat, lng } = parsed(json);
  const geometry = lat === null || lng === null ? null : { type: 'Point', coordinates: [lng, lat] };
  return `{"type":"Feature","id":"${id}","geometry":${JSON.stringify(geometry)},"properties":${json}}`;
}

export const formats = {
  geojson: {
    type: 'application/geo+json',
    head: '{"type":"FeatureCollection","features":[\n',
    record: (json, isFirst) => `${isFirst ? '' : ',\n'}${feature(json)}`,
    tail: '\n]}\n',
  },
  csv: {
    type: 'text/csv; charset=utf-8',
    head: `${byteOrderMark}${imageFieldNames.join(',')}\r\n`,
    record: (json) => `${cells(json)}\r\n`,
    tail: '',
  },
  ndjson: {
    type: 'application/x-ndjson',
    head: '',
    record: (json) => `${json}\n`,
    tail: '',
  },
} as const satisfies Record<string, Format>;

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
  ): AsyncGenerator<Buffer> {
    const { values, bind } = parameters(userId);
    const inArea = box ? ` AND i.location IS NOT NULL AND ${areaOfBox(box).has('i.location')}` : '';
    const condition = `${where(filter, bind)}${inArea}`;
    const matching = { condition, values, order: newestFirst(filter.sortBy) };
    yield Buffer.from(format.head);
    let isFirst = true;
    const pages = this.parts.pagesOf(inTurn(tx));
    for await (const records of pages.texts(matching, { include: {}, resolveUrl })) {
      let text = '';
      for (const record of records) {
        if (typeof record !== 'string') throw new Error('a record without includes has batches');
        text += format.record(record, isFirst);
        isFirst = false;
      }
      yield Buffer.from(text, 'latin1');
    }
    yield Buffer.from(format.tail);
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
  const recorded = { include: includeAll, resolveUrl: (url: string) => url };
  for await (const batch of pages.all({ condition: 'user_id = $1', values: [userId] }, recorded)) {
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
