import type { DataSource, EntityManager } from 'typeorm';
import { only, selectList } from '../../database/columns.js';
import { type Queryable, parameters, rows } from '../../database/sql.js';
import type { Scratch } from '../../http/scratch.js';
import { writeChunk, type StreamedResponse } from '../../http/streamed-response.js';
import { asCells, csvHead } from './archive/csv.js';
import {
  imageColumns,
  versionColumns,
  type Image,
  type ImageVersion,
  type UploadType,
} from './entity.js';
import { where } from './list/conditions.sql.js';
import type { Filter } from './list/schemas.js';
import type { Box } from './map/cells.js';
import { areaOfBox } from './map/clusters.sql.js';
import { allRecords, newestFirst } from './page.sql.js';
import {
  arrayOf,
  bytewise,
  type Frame,
  type ImageRecords,
  parsedRecords,
  type RecordForm,
  type ResolveUrl,
} from './record.js';
import { imageFieldNames, type ReadImage } from './record-fields.js';
import type { ImageRecord } from './schemas.js';

// Images that leave: lists as files for users, and whole images for the operator's export.

/** A file of records. */
interface Format {
  readonly type: string;
  readonly frame: () => Frame;
}

/** A GeoJSON feature up to its properties. */
function feature(image: ReadImage): string {
  const [lat, lng] = [image.field('lat'), image.field('lng')];
  const geometry = lat === 'null' ? 'null' : `{"type":"Point","coordinates":[${lng},${lat}]}`;
  return `{"type":"Feature","id":${image.field('id')},"geometry":${geometry},"properties":`;
}

export const formats = {
  geojson: {
    type: 'application/geo+json',
    frame: () => ({
      ...arrayOf(
        (image) => `\n${feature(image)}`,
        () => '}}',
      ),
      begin: '{"type":"FeatureCollection","features":[',
      end: () => '\n]}\n',
    }),
  },
  csv: {
    type: 'text/csv; charset=utf-8',
    frame: () => linesOf(asCells(imageFieldNames), bytewise(csvHead(imageFieldNames)), '\r\n'),
  },
  ndjson: { type: 'application/x-ndjson', frame: () => linesOf(undefined, '', '}\n') },
} as const satisfies Record<string, Format>;

const linesOf = (form: RecordForm | undefined, begin: string, ending: string): Frame => ({
  begin,
  before: () => '',
  after: () => ending,
  end: () => '',
  ...(form && { form }),
});

export interface ExportParts {
  readonly db: DataSource;
  readonly records: ImageRecords;
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
        for await (const chunk of this.#chunks(tx, wanted, resolveUrl)) {
          await writeChunk(destination, chunk, signal);
        }
      }),
    );
  }

  #chunks(
    tx: EntityManager,
    { userId, filter, box, format }: ExportRequest,
    resolveUrl: ResolveUrl,
  ): AsyncGenerator<Buffer> {
    const { values, bind } = parameters(userId);
    const inArea = box ? ` AND i.location IS NOT NULL AND ${areaOfBox(box).has('i.location')}` : '';
    const condition = `${where(filter, bind)}${inArea}`;
    const matching = { condition, values, order: newestFirst(filter.sortBy) };
    return this.parts.records.matching(tx, matching, { include: {}, resolveUrl }, format.frame());
  }
}

const versionRow = selectList(versionColumns);

/** All versions of these images, in order. */
const selectVersions = (db: Queryable, imageIds: readonly string[]): Promise<ImageVersion[]> =>
  rows(
    db,
    `SELECT ${versionRow} FROM image_versions
     WHERE image_id = ANY ($1::uuid[]) ORDER BY image_id, version`,
    [imageIds],
  );

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
  images: ImageRecords,
  userId: string,
): AsyncGenerator<ExportedImage> {
  const include = { memos: true, customs: true };
  const all = { condition: 'i.user_id = $1', values: [userId] };
  for await (const page of allRecords(tx, all, include)) {
    for await (const batch of parsedRecords(page, images)) {
      const ids = batch.map(({ id }) => id);
      const versions = new Map<string, ImageVersion[]>(ids.map((id) => [id, []]));
      for (const one of await selectVersions(tx, ids)) versions.get(one.imageId)?.push(one);
      const others = new Map((await selectUnrecorded(tx, ids)).map((other) => [other.id, other]));
      for (const record of batch) {
        yield {
          record,
          uploadType: others.get(record.id)?.uploadType ?? 'gallery',
          unread: others.get(record.id)?.unreadFields ?? [],
          versions: versions.get(record.id) ?? [],
        };
      }
    }
  }
}
