import { only, selectList } from '../../../database/columns.js';
import { type Queryable, parameters, rows } from '../../../database/sql.js';
import { Batches, collect, RawJson } from '../../../http/paging/batches.js';
import { allImages, type RecordPages } from '../record-pages.js';
import { type ImageVersion, type UploadType, imageColumns, type Image } from '../entity.js';
import { selectEdits } from '../images.sql.js';
import type { Filter } from '../list/schemas.js';
import { where } from '../list/list.sql.js';
import { areaOfBox } from '../map/area.js';
import type { Box } from '../map/box.js';
import type { BatchedImageRecord } from '../record.js';
import type { ImageRecord } from '../schemas.js';

const list = selectList(only(imageColumns, 'id', 'uploadType'));

/** The upload types, which records omit but an import needs. */
const selectUploadTypes = (
  db: Queryable,
  imageIds: readonly string[],
): Promise<Pick<Image, 'id' | 'uploadType'>[]> =>
  rows(db, `SELECT ${list} FROM images WHERE id = ANY ($1::uuid[])`, [imageIds]);

/** The condition for images `i` of a user that match a filter and an area. */
export function exportCondition(userId: string, filter: Filter, box: Box | undefined) {
  const { values, bind } = parameters(userId);
  const listed = where(filter, bind);
  const inArea = box ? ` AND i.location IS NOT NULL AND ${areaOfBox(box).has('i.location')}` : '';
  return { condition: `${listed}${inArea}`, values };
}

/** An image with everything that belongs to it. */
export interface ExportedImage {
  readonly record: ImageRecord;
  readonly uploadType: UploadType;
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
    const types = new Map(
      (await selectUploadTypes(tx, ids)).map(({ id, uploadType }) => [id, uploadType]),
    );
    for (const record of batch) {
      yield {
        record: await whole(record),
        uploadType: types.get(record.id) ?? 'gallery',
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
    memos: memos && (await listed(memos)),
    customs: customs && (await listed(customs)),
    filedatas: filedatas && (await listed(filedatas)),
  };
}

async function listed<Item>(
  list: readonly Item[] | Batches<Item> | RawJson<Item>,
): Promise<Item[]> {
  if (list instanceof RawJson) throw new Error('records of rows have no texts');
  return list instanceof Batches ? collect(list) : [...list];
}
