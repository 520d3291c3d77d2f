import { row, rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import type { Image, ImageVersion } from './entity.js';

/** An image as reads select it: the place as two numbers, straight from PostGIS. */
export interface ImageRow extends Omit<
  Image,
  'location' | 'originalBytes' | 'editBytes' | 'uploadType'
> {
  readonly lat: number | null;
  readonly lng: number | null;
}

export const imageColumns = `
  i.id, i.platform_id AS "platformId", i.user_id AS "userId", i.folder_id AS "folderId",
  i.created_at AS "createdAt", i.updated_at AS "updatedAt", i.deleted_at AS "deletedAt",
  i.taken_at AS "takenAt", ST_Y(i.location::geometry) AS lat, ST_X(i.location::geometry) AS lng,
  i.address_road AS "addressRoad", i.address_land AS "addressLand",
  i.address_land_number AS "addressLandNumber", i.building_name AS "buildingName",
  i.address_sort AS "addressSort", i.address_det AS "addressDet", i.has_det AS "hasDet",
  i.is_shared AS "isShared", i.is_signed AS "isSigned", i.version_id AS "versionId", i.version,
  i.filename, i.format, i.extension, i.display_extension AS "displayExtension",
  i.thumb_extension AS "thumbExtension", i.hash, i.bytes, i.width, i.height, i.thumbhash,
  i.is_incomplete AS "isIncomplete", i.original_extension AS "originalExtension", i.edits`;

/** What a list knows of an image of which it has no more than the place in the list. */
export type ListedImage = Pick<ImageRow, 'id' | 'userId' | 'createdAt' | 'edits'> &
  Partial<ImageRow>;

/** Images whose whole rows are held for one answer at most. */
export const fewImages = 100;

/** A page and one more, as lists are read, has whole rows when it is short. */
export const columnsFor = (limit: number): string =>
  limit <= fewImages + 1
    ? imageColumns
    : 'i.id, i.user_id AS "userId", i.created_at AS "createdAt", i.edits';

export const selectImage = (
  db: Queryable,
  userId: string,
  imageId: string,
): Promise<ImageRow | undefined> =>
  row(db, `SELECT ${imageColumns} FROM images i WHERE i.id = $1 AND i.user_id = $2`, [
    imageId,
    userId,
  ]);

// In the order of the ids.
const amongIds = (columns: string, condition = ''): string => `
  SELECT ${columns} FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted (id, position)
  JOIN images i USING (id) ${condition} ORDER BY wanted.position`;

/** The user's images among these, in the order of the ids. */
export const selectImages = (
  db: Queryable,
  userId: string,
  imageIds: readonly string[],
): Promise<ListedImage[]> =>
  rows(db, amongIds(columnsFor(imageIds.length), 'WHERE i.user_id = $2'), [imageIds, userId]);

/** Whole rows of images that are known to be the caller's, in the order of the ids. */
export const selectWhole = (db: Queryable, imageIds: readonly string[]): Promise<ImageRow[]> =>
  rows(db, amongIds(imageColumns), [imageIds]);

export const imageExists = async (
  db: Queryable,
  userId: string,
  imageId: string,
): Promise<boolean> => {
  const sql = 'SELECT id FROM images WHERE id = $1 AND user_id = $2';
  return (await row(db, sql, [imageId, userId])) !== undefined;
};

/** What of the trash a read takes in: only it, all but it, or null for everything. */
export type TrashFilter = boolean | null;

// Spelled out rather than bound, so that the planner can take the partial indexes.
export const inTrash = (trash: TrashFilter, images = 'i'): string =>
  trash === null ? '' : `AND ${images}.deleted_at IS ${trash ? 'NOT NULL' : 'NULL'}`;

/** Edited versions of these images, oldest first; all of them, or so many after a version. */
export const selectEdits = (
  db: Queryable,
  imageIds: readonly string[],
  { after, limit }: { after: number; limit: number | null } = { after: 0, limit: null },
): Promise<ImageVersion[]> =>
  rows(
    db,
    `SELECT id, platform_id AS "platformId", user_id AS "userId", image_id AS "imageId", version,
            created_at AS "createdAt", format, extension, display_extension AS "displayExtension",
            thumb_extension AS "thumbExtension", hash, bytes, width, height,
            is_incomplete AS "isIncomplete"
     FROM image_versions
     WHERE image_id = ANY ($1::uuid[]) AND version > $2
     ORDER BY image_id, version LIMIT $3`,
    [imageIds, after, limit],
  );

export interface EditableRow {
  readonly createdAt: Date;
  readonly trashed: boolean;
  readonly edits: number;
  readonly editBytes: number;
}

/** The user's image, held until the transaction ends. */
export const lockImage = (
  tx: Queryable,
  userId: string,
  imageId: string,
): Promise<EditableRow | undefined> =>
  row(
    tx,
    `SELECT created_at AS "createdAt", deleted_at IS NOT NULL AS trashed, edits,
            edit_bytes AS "editBytes"
     FROM images WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE`,
    [imageId, userId],
  );
