import { rows, type Queryable } from '../src/database/sql.js';
import type { Coordinates } from '../src/library/images/coordinates.js';

export interface PlacedImage extends Partial<Coordinates> {
  readonly id?: string;
  readonly trashed?: boolean;
  readonly bytes?: number;
  readonly createdAt?: string;
  readonly takenAt?: string;
}

/** Edge cases of the map: its origin, points beyond its edges, and both sides of the antimeridian. */
export const edgesOfMap: readonly Coordinates[] = [
  { latitude: 0, longitude: 0 },
  { latitude: 90, longitude: 10 },
  { latitude: -90, longitude: -10 },
  { latitude: 86, longitude: 179.9999999 },
  { latitude: -12, longitude: 180 },
  { latitude: -12, longitude: -180 },
];

/** SQL for a location from a longitude and a latitude. */
export const pointSql = (longitude: string, latitude: string): string =>
  `ST_SetSRID(ST_MakePoint(${longitude}::float8, ${latitude}::float8), 4326)::geography`;

/** Inserts images without versions or objects in one statement. @returns their ids. */
export async function insertPlaced(
  db: Queryable,
  { platformId, userId }: { platformId: string; userId: string },
  images: readonly PlacedImage[],
): Promise<string[]> {
  const made = await rows<{ id: string }>(
    db,
    `INSERT INTO images (id, platform_id, user_id, created_at, taken_at, deleted_at, location,
       upload_type, version_id, filename, format, extension, thumb_extension, hash, bytes, width, height, thumbhash,
       original_extension, original_bytes)
     SELECT r.id, $1, $2, coalesce(r."createdAt", now()), r."takenAt",
            CASE WHEN r.trashed THEN now() END,
            ${pointSql('r.longitude', 'r.latitude')}, 'gallery', r.id, 'f', 'jpeg', 'jpg', 'jpg',
            '\\xab', coalesce(r.bytes, 1), 1, 1, '\\xcd', 'jpg', 1
     FROM jsonb_to_recordset($3::jsonb) AS r (id uuid, longitude float8, latitude float8,
       trashed boolean, bytes bigint, "createdAt" timestamptz, "takenAt" timestamptz)
     RETURNING id`,
    [
      platformId,
      userId,
      JSON.stringify(images.map((image) => ({ id: crypto.randomUUID(), ...image }))),
    ],
  );
  return made.map(({ id }) => id);
}
