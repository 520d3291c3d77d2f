import type { DataSource, EntityManager } from 'typeorm';

export interface Seed {
  readonly userId: string;
  readonly images: number;
}

// PostgreSQL before 18 has no uuidv7(); a random UUID with the time in front and version 7 is one.
const uuid7 = `
  CREATE OR REPLACE FUNCTION pg_temp.uuid7(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT encode(set_byte(b, 6, get_byte(b, 6) & 15 | 112), 'hex')::uuid
    FROM (SELECT substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3)
                 || substring(uuid_send(gen_random_uuid()) FROM 7) AS b) AS bytes
  $$`;

// One folder per hundred images, with ten subfolders each, so that the tree gets deeper as it
// grows.
const folders = `
  WITH RECURSIVE made AS MATERIALIZED (
    SELECT n, pg_temp.uuid7(now() - interval '5 years' + n * interval '1 hour') AS id
    FROM generate_series(1, greatest($2 / 100, 10)) AS n
  )
  INSERT INTO folders (id, user_id, parent_id, title)
  SELECT made.id, $1, parent.id,
    '현장 ' || made.n + (SELECT count(*) FROM folders WHERE user_id = $1)
  FROM made LEFT JOIN made AS parent ON made.n > 10 AND parent.n = (made.n - 1) / 10
  ORDER BY made.n`;

// Half of the images were taken around Seoul, the others all over the country; many share a
// location. One in five has none, one in twenty is in the trash.
const images = `
  WITH folder AS (SELECT array_agg(id) AS ids FROM folders WHERE user_id = $1),
  made AS MATERIALIZED (
    SELECT n, now() - random() * interval '5 years' AS at, random() AS chance, random() AS where_x,
           random() AS where_y, random() AS away, random() AS shelf, (random() * 3e6)::int + 50000 AS bytes,
           decode(md5(random()::text) || md5(random()::text), 'hex') AS hash
    FROM generate_series(1, $2) AS n
  ),
  image AS MATERIALIZED (
    SELECT pg_temp.uuid7(at) AS id, CASE WHEN away < 0.5 THEN 0.2 ELSE 3 END AS width, made.* FROM made
  )
  INSERT INTO images (id, platform_id, user_id, folder_id, created_at, updated_at, uploaded_at,
    deleted_at, upload_type, location, address_road, address_land, building_name, has_det, version_id,
    filename, format, extension, display_extension, thumb_extension, hash, bytes, width, height,
    thumbhash, original_extension, original_bytes)
  SELECT i.id, u.platform_id, u.id,
    CASE WHEN i.shelf < 0.8 THEN folder.ids[1 + (i.shelf * array_length(folder.ids, 1))::int] END,
    i.at, i.at, i.at, CASE WHEN i.chance < 0.05 THEN i.at + interval '1 hour' END,
    (ARRAY['camera', 'gallery', 'request'])[1 + i.n % 3],
    CASE WHEN i.chance < 0.8 THEN ST_SetSRID(ST_MakePoint(
      round((126.98 + (i.where_x - 0.5) * i.width)::numeric, 3),
      round((37.56 + (i.where_y - 0.5) * i.width)::numeric, 3)), 4326)::geography END,
    '서울특별시 중구 세종대로 ' || i.n % 500, '태평로1가 ' || i.n % 90, '건물 ' || i.n % 1000,
    (ARRAY[true, false, null])[1 + i.n % 3], i.id,
    to_char(i.at, 'YYYYMMDD_HH24MISS_MS_YYYYMMDD_HH24MISS_') || encode(i.hash, 'hex') || '_0.jpg',
    'jpeg', 'jpg', 'jpg', 'webp', i.hash, i.bytes, 4000, 3000, '\\x1c0812', 'jpg', i.bytes
  FROM image i CROSS JOIN folder JOIN users u ON u.id = $1`;

const versions = `
  INSERT INTO image_versions (id, platform_id, user_id, image_id, version, created_at, format,
    extension, display_extension, thumb_extension, hash, bytes, width, height)
  SELECT i.id, i.platform_id, i.user_id, i.id, 0, i.created_at, i.format, i.extension,
    i.display_extension, i.thumb_extension, i.hash, i.bytes, i.width, i.height
  FROM images i LEFT JOIN image_versions v ON v.id = i.id
  WHERE i.user_id = $1 AND v.id IS NULL`;

const memos = `
  INSERT INTO memos (id, user_id, image_id, message, is_client, created_at)
  SELECT pg_temp.uuid7(i.created_at), i.user_id, i.id, '확인할 곳 ' || abs(hashtext(i.id::text)) % 1000,
    random() < 0.5, i.created_at
  FROM images i WHERE i.user_id = $1 AND get_byte(i.hash, 0) < 26
    AND NOT EXISTS (SELECT FROM memos WHERE image_id = i.id)`;

const customs = `
  INSERT INTO customs (id, user_id, image_id, key, value, created_at)
  SELECT pg_temp.uuid7(i.created_at), i.user_id, i.id, '관리 번호', 'A-' || get_byte(i.hash, 2) * 7,
    i.created_at
  FROM images i WHERE i.user_id = $1 AND get_byte(i.hash, 1) < 26
    AND NOT EXISTS (SELECT FROM customs WHERE image_id = i.id)`;

/**
 * Gives a user many image rows without objects, for examining plans and speed. Triggers maintain
 * the accounting, as with real uploads.
 */
export async function seedUser(db: DataSource, { userId, images: count }: Seed): Promise<void> {
  await db.transaction(async (tx: EntityManager) => {
    const user: unknown[] = await tx.query('SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE', [
      userId,
    ]);
    if (user.length === 0) throw new Error(`No user ${userId}.`);
    await tx.query(uuid7);
    for (const sql of [folders, images]) await tx.query(sql, [userId, count]);
    for (const sql of [versions, memos, customs]) await tx.query(sql, [userId]);
  });
  await db.query('ANALYZE users, folders, images, image_versions, memos, customs, usage_events');
}
