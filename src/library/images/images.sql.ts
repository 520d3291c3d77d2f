import { only, type SelectedRow, selectList } from '../../database/columns.js';
import { prepared, row, rows, type Queryable } from '../../database/sql.js';
import { imageColumns, type ImageVersion, versionColumns } from './entity.js';
import { recordText } from './record.js';

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

/** The columns of an image in a list that needs only its position. */
const listedColumns = only(imageColumns, 'id', 'userId', 'createdAt', 'takenAt', 'edits');
const listedRow = selectList(listedColumns, 'i');

/** An image as reads select it: the text is that from which its record is written. */
export type ImageRow = SelectedRow<typeof listedColumns> & { readonly text: string };

/** Selects or returns an {@link ImageRow} of images `i`. */
export const wholeRow = `${listedRow}, ${recordText} AS text`;

/** An image of a list; a short list selects whole rows. */
export type ListedImage = Omit<ImageRow, 'text'> & Partial<ImageRow>;

/** Maximum number of images whose whole rows are held in memory for one response. */
export const fewImages = 100;

/** Lists read one row more than the page; short pages select whole rows. */
export const columnsFor = (limit: number): string =>
  limit <= fewImages + 1 ? wholeRow : listedRow;

const imageQuery = prepared(`SELECT ${wholeRow} FROM images i WHERE i.id = $1 AND i.user_id = $2`);

export const selectImage = (
  db: Queryable,
  userId: string,
  imageId: string,
): Promise<ImageRow | undefined> => row(db, imageQuery, [imageId, userId]);

/** Selects images `i` in the order of the ids `$1`. */
export const amongIds = (columns: string, condition = ''): string => `
  SELECT ${columns} FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted (id, position)
  JOIN images i USING (id) ${condition} ORDER BY wanted.position`;

/** Those of the given images that belong to the user, in the order of the ids. */
export const selectImages = (
  db: Queryable,
  userId: string,
  imageIds: readonly string[],
): Promise<ListedImage[]> =>
  rows(db, amongIds(columnsFor(imageIds.length), 'WHERE i.user_id = $2'), [imageIds, userId]);

/** Whole rows of images known to be the caller's, in the order of the ids. */
export const selectImageRows = (db: Queryable, imageIds: readonly string[]): Promise<ImageRow[]> =>
  rows(db, amongIds(wholeRow), [imageIds]);

export const imageExists = async (
  db: Queryable,
  userId: string,
  imageId: string,
): Promise<boolean> =>
  (await row(db, 'SELECT FROM images WHERE id = $1 AND user_id = $2', [imageId, userId])) !==
  undefined;

/** The part of the trash that a read covers: only it, all but it, or null for everything. */
export type TrashFilter = boolean | null;

// Inlined rather than bound, so that the planner can use the partial indexes.
export const trashCondition = (trash: TrashFilter, images = 'i'): string =>
  trash === null ? '' : `AND ${images}.deleted_at IS ${trash ? 'NOT NULL' : 'NULL'}`;

const versionRow = selectList(versionColumns);

/**
 * Edited versions of these images, oldest first; all of them, or a limited number after a version.
 */
export const selectEdits = (
  db: Queryable,
  imageIds: readonly string[],
  { after, limit }: { after: number; limit: number | null } = { after: 0, limit: null },
): Promise<ImageVersion[]> =>
  rows(
    db,
    `SELECT ${versionRow} FROM image_versions
     WHERE image_id = ANY ($1::uuid[]) AND version > $2
     ORDER BY image_id, version LIMIT $3`,
    [imageIds, after, limit],
  );

const editableColumns = only(imageColumns, 'createdAt', 'edits', 'editBytes');
const editableRow = selectList(editableColumns);

export type EditableRow = SelectedRow<typeof editableColumns> & { readonly trashed: boolean };

/** The user's image, locked until the transaction ends. */
export const lockImage = (
  tx: Queryable,
  userId: string,
  imageId: string,
): Promise<EditableRow | undefined> =>
  row(
    tx,
    `SELECT ${editableRow}, deleted_at IS NOT NULL AS trashed
     FROM images WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE`,
    [imageId, userId],
  );
