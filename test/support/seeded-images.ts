import type { DataSource } from 'typeorm';
import type { TestUser } from './service.js';

export interface Seed {
  readonly folderId?: string | null;
  readonly count?: number;
  /** Bytes of each. */
  readonly bytes?: number;
}

/**
 * Images made by SQL, where their bytes do not matter: one a minute since 2024-03-01, UTC, and
 * filenames whose numbers run the other way.
 * @returns their ids, oldest first.
 */
export async function seedImages(db: DataSource, user: TestUser, seed: Seed = {}) {
  const { folderId = null, count = 1, bytes = 1024 } = seed;
  const rows: { id: string }[] = await db.query(
    `WITH made AS (
       INSERT INTO images (id, platform_id, user_id, folder_id, created_at, updated_at, upload_type,
         version_id, filename, format, extension, thumb_extension, hash, bytes, width, height,
         thumbhash, original_extension, original_bytes)
       SELECT id, $1, $2, $3, time, time, 'gallery', id, 'picture ' || ($4::int - n) || '.jpg',
              'jpeg', 'jpg', 'jpg', sha256(id::text::bytea), $5, 320, 240, '\\x00', 'jpg', $5
       FROM (SELECT n, gen_random_uuid() AS id,
                    timestamptz '2024-03-01 00:00Z' + make_interval(mins => n) AS time
             FROM generate_series(0, $4::int - 1) AS n) AS new
       RETURNING *
     ),
     versions AS (
       INSERT INTO image_versions (id, platform_id, user_id, image_id, version, format, extension,
         thumb_extension, hash, bytes, width, height)
       SELECT id, platform_id, user_id, id, 0, format, extension, thumb_extension, hash, bytes,
              width, height
       FROM made
     )
     SELECT id FROM made ORDER BY created_at`,
    [user.platformId, user.id, folderId, count, bytes],
  );
  return rows.map(({ id }) => id);
}

/** Puts an image into the trash by itself. */
export const trashImage = (db: DataSource, id: string): Promise<unknown> =>
  db.query(`UPDATE images SET deleted_at = now(), trashed_with = NULL WHERE id = $1`, [id]);
