// Statements that create the rows of the users in the temporary table `seeded` (user_id, images), for
// many users at once.

// PostgreSQL before 18 has no uuidv7(); this builds one from a random UUID, the time, and version 7.
// Inlined, since a function would be called for every row.
const uuid7 = (at: string): string => `
  (lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7'
   || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;

// One folder per hundred images, with ten subfolders each, so that the tree gets deeper as it
// grows.
const folders = `
  WITH made AS MATERIALIZED (
    SELECT s.user_id, n, ${uuid7(`now() - interval '5 years' + n * interval '1 hour'`)} AS id
    FROM seeded s CROSS JOIN LATERAL generate_series(1, greatest(s.images / 100, 10)) AS n
  )
  INSERT INTO folders (id, user_id, parent_id, title)
  SELECT made.id, made.user_id, parent.id, '현장 ' || made.n + earlier.folders
  FROM made
  JOIN (
    SELECT s.user_id, count(f.id) AS folders
    FROM seeded s LEFT JOIN folders f ON f.user_id = s.user_id GROUP BY s.user_id
  ) AS earlier ON earlier.user_id = made.user_id
  LEFT JOIN made AS parent
    ON parent.user_id = made.user_id AND parent.n = (made.n - 1) / 10 AND made.n > 10
  ORDER BY made.user_id, made.n`;

// Half of the images were taken around Seoul, the others all over the country; many share a
// location. One in five has no location, one in twenty is in the trash. Four in five have a name and know
// when they were taken, most on the day of their upload, one in ten up to two years before, which way the
// camera looked, and which of five it was, one of them in a hundred thousand pictures.
const images = `
  WITH folder AS MATERIALIZED (
    SELECT user_id, id, row_number() OVER (PARTITION BY user_id) AS n
    FROM folders WHERE user_id IN (SELECT user_id FROM seeded)
  ),
  wanted AS MATERIALIZED (
    SELECT s.user_id, s.images, count(*) AS folders
    FROM seeded s JOIN folder USING (user_id) GROUP BY s.user_id, s.images
  ),
  made AS (
    SELECT w.user_id, w.folders, n, now() - random() * interval '5 years' AS at,
           random() AS chance, random() AS where_x, random() AS where_y, random() AS away,
           random() AS chance_of_folder, random() AS chance_of_taken, (random() * 3e6)::int + 50000 AS bytes,
           sha256(uuid_send(gen_random_uuid())) AS hash
    FROM wanted w CROSS JOIN LATERAL generate_series(1, w.images) AS n
  ),
  image AS (
    SELECT ${uuid7('at')} AS id, CASE WHEN away < 0.5 THEN 0.2 ELSE 3 END AS width,
           CASE WHEN chance_of_folder < 0.8 THEN 1 + (chance_of_folder * folders)::int END AS nth,
           made.*
    FROM made OFFSET 0
  )
  INSERT INTO images (id, platform_id, user_id, folder_id, created_at, updated_at, uploaded_at,
    deleted_at, taken_at, upload_type, location, address_road, address_land, building_name, has_det, version_id,
    filename, format, extension, display_extension, thumb_extension, hash, bytes, width, height,
    thumbhash, original_extension, original_bytes, original_name, direction, camera)
  SELECT i.id, u.platform_id, i.user_id, folder.id, i.at, i.at, i.at,
    CASE WHEN i.chance < 0.05 THEN i.at + interval '1 hour' END,
    CASE WHEN i.chance_of_taken < 0.8 THEN date_trunc('second', i.at) - i.chance_of_taken * i.chance_of_taken
      * CASE WHEN i.n % 10 = 0 THEN interval '3 years' ELSE interval '1 day' END END,
    (ARRAY['camera', 'gallery', 'request'])[1 + i.n % 3],
    CASE WHEN i.chance < 0.8 THEN ST_SetSRID(ST_MakePoint(
      round((126.98 + (i.where_x - 0.5) * i.width)::numeric, 3),
      round((37.56 + (i.where_y - 0.5) * i.width)::numeric, 3)), 4326)::geography END,
    '서울특별시 중구 세종대로 ' || i.n % 500, '태평로1가 ' || i.n % 90, '건물 ' || i.n % 1000,
    (ARRAY[true, false, null])[1 + i.n % 3], i.id,
    to_char(i.at, 'YYYYMMDD_HH24MISS_MS_YYYYMMDD_HH24MISS_') || encode(i.hash, 'hex') || '_0.jpg',
    'jpeg', 'jpg', 'jpg', 'webp', i.hash, i.bytes, 4000, 3000, '\\x1c0812', 'jpg', i.bytes,
    CASE WHEN i.chance_of_taken < 0.8 THEN 'IMG_' || lpad((i.n % 10000)::text, 4, '0') || '.JPG' END,
    CASE WHEN i.chance_of_taken < 0.8 THEN i.n * 7 % 360 END,
    CASE WHEN i.n % 100000 = 7 THEN 'Leica M11'
         WHEN i.chance_of_taken < 0.8 THEN 'Camera ' || i.n % 4 END
  FROM image i
  JOIN users u ON u.id = i.user_id
  LEFT JOIN folder ON folder.user_id = i.user_id AND folder.n = i.nth`;

/** Images without a version are those just created. */
export const freshImages = `images i LEFT JOIN image_versions v ON v.id = i.id
  WHERE v.id IS NULL AND i.user_id IN (SELECT user_id FROM seeded)`;

const versions = `
  INSERT INTO image_versions (id, platform_id, user_id, image_id, version, created_at, format,
    extension, display_extension, thumb_extension, hash, bytes, width, height)
  SELECT i.id, i.platform_id, i.user_id, i.id, 0, i.created_at, i.format, i.extension,
    i.display_extension, i.thumb_extension, i.hash, i.bytes, i.width, i.height
  FROM ${freshImages}`;

const memos = `
  INSERT INTO memos (id, user_id, image_id, message, is_client, created_at)
  SELECT ${uuid7('i.created_at')}, i.user_id, i.id,
    '확인할 곳 ' || abs(hashtext(i.id::text)) % 1000, random() < 0.5, i.created_at
  FROM ${freshImages} AND get_byte(i.hash, 0) < 26`;

const customs = `
  INSERT INTO customs (id, user_id, image_id, key, value, created_at)
  SELECT ${uuid7('i.created_at')}, i.user_id, i.id, '관리 번호', 'A-' || get_byte(i.hash, 2) * 7,
    i.created_at
  FROM ${freshImages} AND get_byte(i.hash, 1) < 26`;

/** In this order, with versions last, since new images are recognized by having none. */
export const making = { folders, images, memos, customs, versions } as const;
