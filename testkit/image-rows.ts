import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { row, type Queryable } from '../src/database/sql.js';
import type { TestService } from './service.js';
import type { Member } from './world.js';

/**
 * The properties of an image that matter to a test; the others get defaults. Times are in PostgreSQL's
 * format.
 */
export interface SeededImage {
  readonly id?: string;
  readonly folder_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly taken_at?: string;
  readonly deleted_at?: string;
  /** Latitude and longitude. */
  readonly place?: readonly [number, number];
  readonly address_road?: string;
  readonly address_det?: string;
  readonly building_name?: string;
  readonly has_det?: boolean;
  readonly camera?: string;
  readonly filename?: string;
  readonly original_name?: string;
  readonly bytes?: number;
  readonly width?: number;
  readonly height?: number;
}

const insert = `
  WITH made AS (INSERT INTO images (id, platform_id, user_id, folder_id, created_at, updated_at, taken_at,
    deleted_at, location, address_road, address_det, building_name, has_det, camera, filename, bytes, original_bytes,
    upload_type, version_id, format, extension, thumb_extension, hash, width, height, thumbhash,
    original_extension, original_name)
  SELECT r.id, $1, $2, r.folder_id, coalesce(r.created_at, now()),
    coalesce(r.updated_at, r.created_at, now()), r.taken_at, r.deleted_at,
    ST_SetSRID(ST_MakePoint((r.place->>1)::float8, (r.place->>0)::float8), 4326)::geography,
    r.address_road, r.address_det, r.building_name, r.has_det, r.camera,
    coalesce(r.filename, r.id || '.jpg'), coalesce(r.bytes, 1048576), coalesce(r.bytes, 1048576),
    'gallery', r.id, 'jpeg', 'jpg', 'jpg', r.hash, coalesce(r.width, 640), coalesce(r.height, 480), '', 'jpg', r.original_name
  FROM jsonb_to_recordset($3::jsonb) AS r (id uuid, folder_id uuid, created_at timestamptz,
    updated_at timestamptz, taken_at timestamptz, deleted_at timestamptz, place jsonb, address_road text,
    address_det text, building_name text, has_det boolean, camera text, filename text, original_name text, bytes bigint,
    width int, height int, hash bytea)
  RETURNING *)
  INSERT INTO image_versions (id, platform_id, user_id, image_id, version, format, extension,
    thumb_extension, hash, bytes, width, height)
  SELECT id, platform_id, user_id, id, 0, format, extension, thumb_extension, hash, bytes, width,
    height
  FROM made`;

/** Inserts image rows without objects. @returns their ids. */
export async function seedImages(
  { db }: Pick<TestService, 'db'>,
  user: Pick<Member, 'id' | 'platformId'>,
  images: readonly SeededImage[],
): Promise<string[]> {
  const rows = images.map((image) => ({
    id: uuidv7(),
    hash: `\\x${randomBytes(32).toString('hex')}`,
    ...image,
  }));
  await db.query(insert, [user.platformId, user.id, JSON.stringify(rows)]);
  return rows.map(({ id }) => id);
}

export interface Series {
  readonly folderId?: string;
  readonly count?: number;
}

/**
 * Images of 1,024 bytes each: one a minute since 2024-03-01, UTC, with filenames numbered in
 * reverse order.
 * @returns their ids, oldest first.
 */
export const seedSeries = (
  service: TestService,
  user: Member,
  { folderId: folder_id, count = 1 }: Series = {},
): Promise<string[]> =>
  seedImages(
    service,
    user,
    Array.from({ length: count }, (_, minute) => ({
      folder_id,
      created_at: new Date(Date.UTC(2024, 2, 1, 0, minute)).toISOString(),
      filename: `picture ${count - minute}.jpg`,
      bytes: 1024,
    })),
  );

/** Trashes an image individually. */
export const trashImage = ({ db }: TestService, id: string): Promise<unknown> =>
  db.query(`UPDATE images SET deleted_at = now(), trashed_with = NULL WHERE id = $1`, [id]);

/** Inserts a folder by SQL. @returns its id. */
export async function seedFolder(
  { db }: Pick<TestService, 'db'>,
  user: Pick<Member, 'id'>,
  title: string,
): Promise<string> {
  const id = uuidv7();
  await db.query('INSERT INTO folders (id, user_id, title) VALUES ($1, $2, $3)', [
    id,
    user.id,
    title,
  ]);
  return id;
}

/** When an image was last changed, in milliseconds: more precise than its record. */
export async function updatedAt(db: Queryable, imageId: string): Promise<number> {
  const sql = 'SELECT updated_at AS at FROM images WHERE id = $1';
  return (await row<{ at: Date }>(db, sql, [imageId]))?.at.getTime() ?? NaN;
}
