import { keptTables } from '../../bench/seeding/kept.js';
import type { TestService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const images = `
  INSERT INTO images (id, platform_id, user_id, created_at, upload_type, version_id, filename, format,
    extension, thumb_extension, hash, bytes, width, height, thumbhash, original_extension,
    original_bytes)
  SELECT id, $1, $2, timestamptz '2020-01-01 00:00:00Z' + n * interval '20 minutes', 'gallery', id,
    n || '.jpg', 'jpeg', 'jpg', 'webp', sha256(int4send(n)), 1, 640, 480, '', 'jpg', 1
  FROM (SELECT gen_random_uuid() AS id, n FROM generate_series($3::int, $4::int) AS n) AS numbered`;

/** Rows per statement: clients time out after half a minute. */
const atOnce = 10_000;

const counters = 'UPDATE users SET active_images = $2::int, active_bytes = $2::int WHERE id = $1';

/**
 * Inserts rows without objects, 72 a day from 2020 on, and those rows of triggers that lists need: all of
 * them, as from bench/seeding.ts, would take ten times as long.
 */
export async function seedMany(
  { db }: TestService,
  { id, platformId }: Member,
  count: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('SET LOCAL statement_timeout = 0');
    await tx.query(`CREATE TEMPORARY TABLE seeded (user_id uuid) ON COMMIT DROP`);
    await tx.query('INSERT INTO seeded VALUES ($1)', [id]);
    await tx.query('ALTER TABLE images DISABLE TRIGGER USER');
    for (let from = 1; from <= count; from += atOnce) {
      await tx.query(images, [platformId, id, from, Math.min(count, from + atOnce - 1)]);
    }
    await tx.query(counters, [id, count]);
    for (const { table, ofUsers, fill } of keptTables) {
      if (table !== 'image_totals' && !table.endsWith('_ranges')) continue;
      await tx.query(`DELETE FROM ${table} WHERE ${ofUsers}`);
      await tx.query(fill);
    }
    await tx.query('ALTER TABLE images ENABLE TRIGGER USER');
  });
}
