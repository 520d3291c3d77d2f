import type pg from 'pg';

// The statements of a page of 60 when the comparison began, whatever the service sends today, so that ratios
// can be compared over time; without the one that noted where the page ended, which no page needs any more.

const pageAfter = (condition: string): string => `
  WITH page AS MATERIALIZED (
    SELECT i.id FROM images i WHERE i.user_id = $1 ${condition}
    ORDER BY i.created_at DESC, i.id DESC OFFSET $2 LIMIT $3)
  SELECT i.id, i.platform_id AS "platformId", i.user_id AS "userId", i.folder_id AS "folderId",
    i.created_at AS "createdAt", i.updated_at AS "updatedAt", i.deleted_at AS "deletedAt",
    i.taken_at AS "takenAt", ST_Y(i.location::geometry) AS lat, ST_X(i.location::geometry) AS lng,
    i.address_road AS "addressRoad", i.address_land AS "addressLand",
    i.address_land_number AS "addressLandNumber", i.building_name AS "buildingName",
    i.address_sort AS "addressSort", i.address_det AS "addressDet", i.has_det AS "hasDet",
    i.is_shared AS "isShared", i.is_signed AS "isSigned", i.version_id AS "versionId", i.version,
    i.filename, i.format, i.extension, i.display_extension AS "displayExtension",
    i.thumb_extension AS "thumbExtension", i.hash, i.bytes, i.width, i.height,
    i.is_incomplete AS "isIncomplete", i.thumbhash, i.original_extension AS "originalExtension",
    i.edits,
    ARRAY[to_char(i.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), i.id::text]
      AS "sortKey"
  FROM page JOIN images i USING (id) ORDER BY i.created_at DESC, i.id DESC`;

const totals = `
  SELECT max_storage_bytes AS "maxStorageBytes", active_images AS "activeImages",
    trashed_images AS "trashedImages", active_bytes AS "activeBytes",
    trashed_bytes AS "trashedBytes", stored_bytes AS "storedBytes"
  FROM users WHERE id = $1 AND ($2::uuid IS NULL OR platform_id = $2)`;

const firstPage = pageAfter('');
const followingPage = pageAfter('AND (i.created_at, i.id) < ($4::timestamptz, $5::uuid)');

/** Time and id of an image, after which a page begins. */
type SortKey = readonly string[];

/**
 * Reads a user's page: its rows and totals, in two statements through pg alone. @param after the last image of
 * the page before; undefined for the first page. @returns the last image.
 */
export function plainPages(pool: pg.Pool, userId: string, size: number) {
  return async (after?: SortKey): Promise<SortKey | undefined> => {
    const values = [userId, 0, size + 1, ...(after ?? [])];
    const [{ rows }] = await Promise.all([
      pool.query<{ sortKey: SortKey }>(after ? followingPage : firstPage, values),
      pool.query(totals, [userId, null]),
    ]);
    return rows.slice(0, size).at(-1)?.sortKey;
  };
}

/** The image at an index of a user's list, after which the next page begins. */
export async function plainStart(pool: pg.Pool, userId: string, index: number): Promise<SortKey> {
  const { rows } = await pool.query<{ sortKey: SortKey }>(firstPage, [userId, index, 1]);
  const [start] = rows;
  if (!start) throw new Error(`there is no image ${index}`);
  return start.sortKey;
}
