import type { Point } from 'typeorm';
import { row, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';

export interface ImageState {
  readonly trashed: boolean;
  readonly folderId: string | null;
}

/** Where the user's image is, held until the transaction ends. */
export const lockState = (
  tx: Queryable,
  userId: string,
  imageId: string,
): Promise<ImageState | undefined> =>
  row(
    tx,
    `SELECT deleted_at IS NOT NULL AS trashed, folder_id AS "folderId"
     FROM images WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE`,
    [imageId, userId],
  );

/** What an update sets; absent means as it is. */
export interface Changes {
  readonly trashed?: boolean;
  readonly folderId?: string | null;
  readonly location?: Point | null;
  readonly hasDet?: boolean | null;
  readonly isShared?: boolean;
  readonly isSigned?: boolean;
  readonly addressRoad?: string | null;
  readonly addressLand?: string | null;
  readonly addressLandNumber?: string | null;
  readonly buildingName?: string | null;
  readonly addressSort?: string | null;
  readonly addressDet?: string | null;
}

/** For each change its column, and what is assigned to it from the bound value. */
const assignments: Record<keyof Changes, readonly [string, (bound: string) => string]> = {
  trashed: ['deleted_at', (bound) => `CASE WHEN ${bound}::boolean THEN now() END`],
  folderId: ['folder_id', (bound) => `${bound}::uuid`],
  location: ['location', (bound) => `ST_GeomFromGeoJSON(${bound}::text)::geography`],
  hasDet: ['has_det', (bound) => `${bound}::boolean`],
  isShared: ['is_shared', (bound) => `${bound}::boolean`],
  isSigned: ['is_signed', (bound) => `${bound}::boolean`],
  addressRoad: ['address_road', (bound) => `${bound}::text`],
  addressLand: ['address_land', (bound) => `${bound}::text`],
  addressLandNumber: ['address_land_number', (bound) => `${bound}::text`],
  buildingName: ['building_name', (bound) => `${bound}::text`],
  addressSort: ['address_sort', (bound) => `${bound}::text`],
  addressDet: ['address_det', (bound) => `${bound}::text`],
};

// Another node's transaction may have begun later and ended earlier.
const touched = 'updated_at = greatest(now(), updated_at)';

/**
 * Changes the user's image in one statement; a row that is so already is left alone, `updated_at`
 * included. `trashed` must differ from the state of the row, and makes the image's trashing its own.
 */
export async function updateImage(
  tx: Queryable,
  userId: string,
  imageId: string,
  changes: Changes,
): Promise<void> {
  const names = (Object.keys(assignments) as (keyof Changes)[]).filter(
    (name) => changes[name] !== undefined,
  );
  if (names.length === 0) return;
  const columns = names.map((name) => assignments[name][0]);
  const values = names.map((name, i) => assignments[name][1](`$${i + 3}`));
  const sets = columns.map((column, i) => `${column} = ${values[i]}`);
  if (changes.trashed !== undefined) sets.push('trashed_with = NULL');
  await rows(
    tx,
    `UPDATE images SET ${sets.join(', ')}, ${touched}
     WHERE id = $1 AND user_id = $2
       AND ROW(${columns.join(', ')}) IS DISTINCT FROM ROW(${values.join(', ')})`,
    [imageId, userId, ...names.map((name) => bind(changes[name]))],
  );
}

const bind = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

/** Which of these ids are the user's images, and which of those are in the trash. */
export const selectStates = (
  tx: Queryable,
  userId: string,
  imageIds: readonly string[],
): Promise<{ id: string; trashed: boolean }[]> =>
  rows(
    tx,
    `SELECT id, deleted_at IS NOT NULL AS trashed
     FROM images WHERE id = ANY ($2::uuid[]) AND user_id = $1`,
    [userId, imageIds],
  );

/** Marks the user's images as shared; those that are already are left alone. */
export const shareImages = (
  tx: Queryable,
  userId: string,
  imageIds: readonly string[],
): Promise<unknown> =>
  rows(
    tx,
    `UPDATE images SET is_shared = true, ${touched}
     WHERE id = ANY ($2::uuid[]) AND user_id = $1 AND NOT is_shared`,
    [userId, imageIds],
  );
