import { randomBytes } from 'node:crypto';
import type pg from 'pg';

// Written out, not taken from src/: what the service is measured against stays what it is when the
// service changes.
const page = `
  WITH page AS MATERIALIZED (
    SELECT i.id FROM images i WHERE i.user_id = $1
    ORDER BY i.created_at DESC, i.id DESC OFFSET $2 LIMIT $3)
  SELECT i.id, i.platform_id, i.user_id, i.folder_id, i.created_at, i.updated_at, i.deleted_at,
         i.taken_at, ST_Y(i.location::geometry) AS lat, ST_X(i.location::geometry) AS lng,
         i.address_road, i.address_land, i.address_land_number, i.building_name, i.address_sort,
         i.address_det, i.has_det, i.is_shared, i.is_signed, i.version_id, i.version, i.filename,
         i.format, i.extension, i.display_extension, i.thumb_extension, i.hash, i.bytes, i.width,
         i.height, i.is_incomplete, i.thumbhash, i.original_extension, i.edits,
         ARRAY[to_char(i.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), i.id::text]
           AS sort_key
  FROM page JOIN images i USING (id)
  ORDER BY i.created_at DESC, i.id DESC`;

const totals =
  'SELECT active_images, trashed_images, active_bytes, trashed_bytes FROM users WHERE id = $1';

const cursor = `
  INSERT INTO walks (id, last_index, sort_key, total_images, total_bytes)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (id, last_index) DO UPDATE
  SET sort_key = excluded.sort_key, total_images = excluded.total_images,
      total_bytes = excluded.total_bytes, noted_at = excluded.noted_at`;

const list = randomBytes(32);

interface PageRow {
  readonly sort_key: readonly string[];
}
interface TotalsRow {
  readonly active_images: number;
  readonly active_bytes: string;
}

/** Reads the first page, its totals, and notes where it ends. */
export async function barePage(pool: pg.Pool, userId: string, size: number): Promise<void> {
  const [images, sums] = await Promise.all([
    pool.query<PageRow>(page, [userId, 0, size + 1]),
    pool.query<TotalsRow>(totals, [userId]),
  ]);
  const [last, sum] = [images.rows[size - 1], sums.rows[0]];
  await pool.query(cursor, [list, size, last?.sort_key, sum?.active_images, sum?.active_bytes]);
}
