import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countingOne } from './0015-count-one.js';
import { keeping } from './0015-counting.js';
import { cellOf, each, sums } from './0015-sums.js';

/**
 * The places of each user, and their sums in the cells of a map: one structure for lists of places,
 * radius reads, and map tiles, kept by triggers like the accounts of migration 2 (docs/adr/0013).
 *
 * Changes to images wait while it counts, reads do not: a minute per million images on a busy machine.
 */
export class KeptPlaces0000000000015 implements MigrationInterface {
  readonly name = 'KeptPlaces0000000000015';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(cells);
    await runner.query(tables);
    await runner.query(filling);
    await runner.query(indexes);
    await runner.query(countingOne);
    await runner.query(keeping);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

// Web Mercator at zoom 26: half a meter at the equator, and an interleaved position of 52 bits, which
// JavaScript numbers hold. A floor puts an edge into the cell east and south of it; 180° is -180°.
const cells = `
  CREATE FUNCTION map_x(location geography) RETURNS integer
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $function$
    SELECT floor((ST_X(location::geometry) + 180) / 360 * 67108864)::integer & 67108863
  $function$;

  CREATE FUNCTION map_y(location geography) RETURNS integer
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $function$
    SELECT greatest(0, least(67108863, floor(
      (1 - asinh(tan(radians(ST_Y(location::geometry)))) / pi()) / 2 * 67108864)))::integer
  $function$;

  -- The bits of y and x in turn, y first: every tile z/x/y is one range of cells. (The factors are
  -- masks of 16, 8, 4, 2 and 1 bits out of twice as many.)
  CREATE FUNCTION map_cell(location geography) RETURNS bigint
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $function$
  DECLARE
    x bigint := map_x(location);
    y bigint := map_y(location);
  BEGIN
    x := (x | (x << 16)) & 281470681808895;
    y := (y | (y << 16)) & 281470681808895;
    x := (x | (x << 8)) & 71777214294589695;
    y := (y | (y << 8)) & 71777214294589695;
    x := (x | (x << 4)) & 1085102592571150095;
    y := (y | (y << 4)) & 1085102592571150095;
    x := (x | (x << 2)) & 3689348814741910323;
    y := (y | (y << 2)) & 3689348814741910323;
    x := (x | (x << 1)) & 6148914691236517205;
    y := (y | (y << 1)) & 6148914691236517205;
    RETURN x | (y << 1);
  END $function$;
`;

// Sums are in no index and the pages have room: a change of sums is a change in place.
const tables = `
  LOCK TABLE images IN SHARE ROW EXCLUSIVE MODE;

  CREATE TABLE places (
    user_id uuid NOT NULL,
    cell bigint NOT NULL,
    location geography(Point, 4326) NOT NULL,
    active_images integer NOT NULL,
    trashed_images integer NOT NULL,
    active_bytes bigint NOT NULL,
    trashed_bytes bigint NOT NULL,
    active_at timestamptz,
    active_id uuid,
    trashed_at timestamptz,
    trashed_id uuid,
    uploaded_at timestamptz NOT NULL
  );
  COMMENT ON COLUMN places.active_id IS 'newest image that is not in the trash; made at active_at';
  COMMENT ON COLUMN places.trashed_id IS 'newest image in the trash; made at trashed_at';
  COMMENT ON COLUMN places.uploaded_at IS 'no image there was uploaded after this';

  CREATE TABLE map_cells (
    user_id uuid NOT NULL,
    zoom smallint NOT NULL,
    cell bigint NOT NULL,
    x integer NOT NULL,
    y integer NOT NULL,
    places integer NOT NULL,
    active_places integer NOT NULL,
    trashed_places integer NOT NULL,
    active_images integer NOT NULL,
    trashed_images integer NOT NULL,
    active_bytes bigint NOT NULL,
    trashed_bytes bigint NOT NULL
  ) WITH (fillfactor = 80);
  COMMENT ON TABLE map_cells IS 'sums of places by the tile zoom/x/y; zoom 0 has all of a user';
  COMMENT ON COLUMN map_cells.cell IS 'the first cell of zoom 26 in the tile';
`;

// Before the keys, whose checks would take longer than this. Places of images that are there may have
// been uploaded to until now.
const filling = `
  INSERT INTO places
  SELECT user_id, map_cell(location), location,
         count(*) FILTER (WHERE deleted_at IS NULL), count(*) FILTER (WHERE deleted_at IS NOT NULL),
         coalesce(sum(bytes) FILTER (WHERE deleted_at IS NULL), 0),
         coalesce(sum(bytes) FILTER (WHERE deleted_at IS NOT NULL), 0),
         max(created_at) FILTER (WHERE deleted_at IS NULL),
         (array_agg(id ORDER BY created_at DESC, id DESC) FILTER (WHERE deleted_at IS NULL))[1],
         max(created_at) FILTER (WHERE deleted_at IS NOT NULL),
         (array_agg(id ORDER BY created_at DESC, id DESC) FILTER (WHERE deleted_at IS NOT NULL))[1],
         now()
  FROM images WHERE location IS NOT NULL
  GROUP BY user_id, location;

  INSERT INTO map_cells (user_id, zoom, cell, x, y, ${sums.join(', ')})
  SELECT user_id, zoom, ${cellOf('cell', 'location')},
         count(*), count(active_id), count(trashed_id), ${each(sums.slice(3), (s) => `sum(${s})`)}
  FROM places CROSS JOIN (VALUES (21)) AS finest (zoom)
  GROUP BY 1, 2, 3, 4, 5;

  ${[18, 15, 12, 9, 6, 0]
    .map(
      (zoom, i) => `
  INSERT INTO map_cells (user_id, zoom, cell, x, y, ${sums.join(', ')})
  SELECT user_id, ${zoom}, cell >> ${52 - 2 * zoom} << ${52 - 2 * zoom},
         x >> (zoom - ${zoom}), y >> (zoom - ${zoom}), ${each(sums, (s) => `sum(${s})`)}
  FROM map_cells WHERE zoom = ${[21, 18, 15, 12, 9, 6][i]}
  GROUP BY 1, 2, 3, 4, 5;`,
    )
    .join('')}
`;

// A page of places is read from these alone: places by their newest image, and those that uploads
// have come to since paging began.
const indexes = `
  ALTER TABLE places ADD PRIMARY KEY (user_id, cell, location),
    ADD FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE;
  ALTER TABLE map_cells ADD PRIMARY KEY (user_id, zoom, cell),
    ADD FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE;
  CREATE INDEX places_active ON places (user_id, active_at DESC, active_id DESC)
    WHERE active_id IS NOT NULL;
  CREATE INDEX places_trashed ON places (user_id, trashed_at DESC, trashed_id DESC)
    WHERE trashed_id IS NOT NULL;
  CREATE INDEX places_uploaded ON places (user_id, uploaded_at);
`;
