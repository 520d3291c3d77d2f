import type { MigrationInterface, QueryRunner } from 'typeorm';
import { cells, filling, keys } from './0029-cells.js';
import { countingOne } from './0029-counting.js';
import { keeping } from './0029-counting-many.js';
import { mapVersions, usersRow } from './0029-versions.js';

/**
 * What map tiles need (docs/adr/0013): the newest image of each cell, cells of zoom 24, cells by
 * platform, and a version of each user's map.
 *
 * Changes to images wait while the cells are made anew from the places, without reading images; reads
 * do not until the last moment. Per million images, that is half a minute of one core.
 */
export class MapTiles0000000000029 implements MigrationInterface {
  readonly name = 'MapTiles0000000000029';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(cells);
    await runner.query(filling);
    await runner.query('SELECT fill_map_cells(NULL)');
    await runner.query(keys);
    await runner.query(mapVersions);
    await runner.query(countingOne);
    await runner.query(keeping);
    await runner.query(usersRow);
    await runner.query(bits);
    await runner.query(mending);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

const bits = `
  -- Every other bit, from the lowest on: the x of a cell, or its y if shifted by one.
  CREATE FUNCTION gather_bits(bits bigint) RETURNS integer
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $function$
  BEGIN
    bits := bits & 6148914691236517205;
    bits := (bits | (bits >> 1)) & 3689348814741910323;
    bits := (bits | (bits >> 2)) & 1085102592571150095;
    bits := (bits | (bits >> 4)) & 71777214294589695;
    bits := (bits | (bits >> 8)) & 281470681808895;
    RETURN (bits | (bits >> 16)) & 67108863;
  END $function$;
`;

const newest = (what: string, condition: string): string =>
  `(array_agg(${what} ORDER BY created_at DESC, id DESC) FILTER (WHERE ${condition}))[1]`;
const [active, trashed] = ['deleted_at IS NULL', 'deleted_at IS NOT NULL'];

// Everything that is kept of the map of a user, from the images: a lock on the user keeps others away,
// like a change of an image does.
const mending = `
  CREATE FUNCTION rebuild_map(who uuid) RETURNS void
  LANGUAGE plpgsql SET jit = off AS $function$
  BEGIN
    UPDATE users SET map_version = map_version + 1 WHERE id = who;
    DELETE FROM places WHERE user_id = who;
    DELETE FROM map_cells WHERE user_id = who;
    INSERT INTO places
    SELECT user_id, map_cell(location), location, count(*) FILTER (WHERE ${active}),
           count(*) FILTER (WHERE ${trashed}), coalesce(sum(bytes) FILTER (WHERE ${active}), 0),
           coalesce(sum(bytes) FILTER (WHERE ${trashed}), 0),
           ${newest('created_at', active)}, ${newest('id', active)},
           ${newest('created_at', trashed)}, ${newest('id', trashed)}, max(uploaded_at)
    FROM images WHERE user_id = who AND location IS NOT NULL
    GROUP BY user_id, location;
    PERFORM fill_map_cells(ARRAY[who]);
  END $function$;
`;
