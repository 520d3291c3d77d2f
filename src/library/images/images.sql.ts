import { only, type SelectedRow, selectList } from '../../database/columns.js';
import {
  exists,
  onlyValue,
  prepared,
  type Queryable,
  row,
  rows,
  value,
} from '../../database/sql.js';
import { imageColumns } from './entity.js';
import {
  furtherEditsSql,
  includedSql,
  perInclude,
  recordSql,
  type IncludeOptions,
} from './record-fields.js';

/** Images per statement: keeps it to seconds even when the indexes do not fit in memory. */
const batchSize = 1000;

/**
 * Ids of all images that match a condition, in batches. Uses a cursor, so that later batches do not
 * rescan rows that earlier ones changed or deleted. Roughly in upload order, which is the order of
 * the keys inserted into object_reclaim.
 * @param condition on the columns of images `i`.
 * @param order by default, by creation time.
 */
export async function* idBatches(
  tx: Queryable,
  condition: string,
  values: readonly unknown[],
  order = 'i.created_at, i.id',
): AsyncGenerator<string[]> {
  await rows(
    tx,
    `DECLARE batches NO SCROLL CURSOR FOR
     SELECT i.id FROM images i WHERE ${condition} ORDER BY ${order}`,
    values,
  );
  for (;;) {
    const ids = (await rows<{ id: string }>(tx, `FETCH ${batchSize} FROM batches`)).map(
      ({ id }) => id,
    );
    if (ids.length === 0) break;
    yield ids;
  }
  await rows(tx, 'CLOSE batches');
}

/** An image that was just read or changed, as the text from which its record is written. */
export interface ImageRow {
  readonly id: string;
  readonly text: string;
}

/** Selects or returns an {@link ImageRow} of images `i`. */
export const wholeRow = `i.id, ${recordSql()} AS text`;

const imageQuery = perInclude((include) =>
  prepared(`SELECT ${recordSql(include)} FROM images i WHERE i.id = $1 AND i.user_id = $2`),
);

/** The text of an image and of what is included. */
export const selectImageText = (
  db: Queryable,
  userId: string,
  imageId: string,
  include: IncludeOptions,
): Promise<string | undefined> => value(db, imageQuery(include), [imageId, userId]);

export async function selectImage(
  db: Queryable,
  userId: string,
  imageId: string,
): Promise<ImageRow | undefined> {
  const text = await selectImageText(db, userId, imageId, {});
  return text === undefined ? undefined : { id: imageId, text };
}

const includedQuery = perInclude((include) =>
  prepared(`SELECT ${includedSql(include)} FROM (SELECT $1::uuid AS id) AS i`),
);

/** The text of what is included with an image, but not of the image. */
export const selectIncluded = (db: Queryable, imageId: string, include: IncludeOptions) =>
  onlyValue<string>(db, includedQuery(include), [imageId]);

/** The text of customs of an image; undefined if there is no such image. */
export const selectCustomsText = (db: Queryable, userId: string, imageId: string) =>
  value<string>(
    db,
    `SELECT ${includedSql({ customs: true })} FROM images i WHERE i.id = $1 AND i.user_id = $2`,
    [imageId, userId],
  );

/** The text of the edits that follow version `after`. */
export const selectFurtherEdits = (db: Queryable, imageId: string, after: number) =>
  onlyValue<string>(
    db,
    `SELECT ${furtherEditsSql('$2::integer')} FROM (SELECT $1::uuid AS id) AS i`,
    [imageId, after],
  );

/** Where the thumbnail of an image is. */
interface ThumbnailRow {
  readonly imageId: string;
  readonly platformId: string;
  readonly userId: string;
  readonly versionId: string;
  readonly extension: string;
}

/** Those of the user's images among these ids, in any order. */
export const selectThumbnails = (db: Queryable, userId: string, imageIds: readonly string[]) =>
  rows<ThumbnailRow>(
    db,
    `SELECT id AS "imageId", platform_id AS "platformId", user_id AS "userId",
            version_id AS "versionId", thumb_extension AS extension
     FROM images WHERE user_id = $1 AND id = ANY ($2::uuid[])`,
    [userId, imageIds],
  );

/** Selects images `i` in the order of the ids `$1`. */
export const amongIds = (columns: string, condition = ''): string => `
  SELECT ${columns} FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted (id, position)
  JOIN images i USING (id) ${condition} ORDER BY wanted.position`;

export const imageExists = (db: Queryable, userId: string, imageId: string) =>
  exists(db, 'SELECT FROM images WHERE id = $1 AND user_id = $2', [imageId, userId]);

/** The part of the trash that a read covers: only it, all but it, or null for everything. */
export type TrashFilter = boolean | null;

// Inlined rather than bound, so that the planner can use the partial indexes.
export const trashCondition = (trash: TrashFilter, images = 'i'): string =>
  trash === null ? '' : `AND ${images}.deleted_at IS ${trash ? 'NOT NULL' : 'NULL'}`;

const editableColumns = only(imageColumns, 'createdAt', 'edits', 'editBytes');
const editableRow = selectList(editableColumns);

export type EditableRow = SelectedRow<typeof editableColumns> & { readonly trashed: boolean };

/** The user's image, locked until the transaction ends. */
export const lockImage = (tx: Queryable, userId: string, imageId: string) =>
  row<EditableRow>(
    tx,
    `SELECT ${editableRow}, deleted_at IS NOT NULL AS trashed
     FROM images WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE`,
    [imageId, userId],
  );
