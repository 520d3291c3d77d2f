import type { DataSource } from 'typeorm';
import type { Member } from './world.js';

/**
 * Gives a user `count` images by SQL, a minute apart, the newest now; every tenth is in the trash.
 * They have no objects.
 */
export async function insertImages(db: DataSource, user: Member, count: number): Promise<void> {
  await db.query(
    `INSERT INTO images (id, platform_id, user_id, created_at, deleted_at, upload_type, version_id,
       filename, format, extension, display_extension, thumb_extension, hash, bytes, width, height,
       thumbhash, original_extension, original_bytes)
     SELECT id, $1, $2, now() - n * interval '1 minute', CASE WHEN n % 10 = 0 THEN now() END,
            'gallery', id, 'picture ' || n, 'jpeg', 'jpg', 'jpg', 'webp', '\\xab', 1000, 100, 100,
            '\\xcd', 'jpg', 1000
     FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, $3::int) AS n) AS made`,
    [user.platformId, user.id, count],
  );
  // Otherwise foreign-key checks may keep using plans made for an empty table.
  await db.query('ANALYZE images');
  await db.query(
    `INSERT INTO image_versions (id, platform_id, user_id, image_id, version, format, extension,
       display_extension, thumb_extension, hash, bytes, width, height)
     SELECT id, platform_id, user_id, id, 0, format, extension, display_extension, thumb_extension,
            hash, bytes, width, height
     FROM images WHERE user_id = $1`,
    [user.id],
  );
  await db.query('ANALYZE image_versions');
}
