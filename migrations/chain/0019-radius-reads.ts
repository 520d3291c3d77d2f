import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  begin,
  below,
  cellsBelow,
  isWithin,
  kept,
  least,
  most,
  onSphere,
  placesOf,
  variables,
} from './0019-map-bounds.js';

/**
 * The functions of migration 16, which begin near the point now, and measure on the map what need not
 * be measured on the ellipsoid (docs/adr/0013).
 */
export class RadiusReads0000000000019 implements MigrationInterface {
  readonly name = 'RadiusReads0000000000019';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(spreadBits);
    await runner.query(sumWithin);
    await runner.query(placesNear);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

/** Cells with no more places than this are read place by place. */
const few = 192;

const spreadBits = `
  -- A zero before each bit: of the x and the y of a tile, these make its cell, as in map_cell.
  CREATE FUNCTION spread_bits(bits bigint) RETURNS bigint
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $function$
  BEGIN
    bits := (bits | (bits << 16)) & 281470681808895;
    bits := (bits | (bits << 8)) & 71777214294589695;
    bits := (bits | (bits << 4)) & 1085102592571150095;
    bits := (bits | (bits << 2)) & 3689348814741910323;
    RETURN (bits | (bits << 1)) & 6148914691236517205;
  END $function$;
`;

const sums = ['active_images', 'trashed_images', 'active_bytes', 'trashed_bytes'];
const each = (sql: (name: string, n: number) => string): string =>
  sums.map((name, i) => sql(name, i + 1)).join(', ');

const sumWithin = `
  CREATE OR REPLACE FUNCTION sum_within(who uuid, latitude float8, longitude float8, radius float8,
    OUT active_images bigint, OUT trashed_images bigint, OUT active_bytes bigint,
    OUT trashed_bytes bigint)
  LANGUAGE plpgsql STABLE ${kept} AS $function$
  #variable_conflict use_variable
  DECLARE
    ${variables}
    total bigint[] := ARRAY[0, 0, 0, 0];
  BEGIN
    reach := radius;
    ${begin}
    FOREACH zoom IN ARRAY ${below} LOOP
      size := 1 << (26 - zoom);
      WITH cell AS MATERIALIZED (
        SELECT s.*, s.cell + (1::bigint << (52 - 2 * zoom)) AS cell_end,
               s.places <= ${few} OR zoom = 21 AS is_last
        FROM (${cellsBelow}) AS s WHERE s.nearest <= reach
      ),
      counted AS (
        SELECT ${each((sum) => `c.${sum}`)} FROM cell c WHERE c.farthest <= reach
        UNION ALL
        SELECT ${each((sum) => `p.${sum}`)}
        FROM (SELECT * FROM cell c WHERE c.farthest > reach AND c.is_last) AS rim
        ${placesOf('rim', isWithin('reach'))}
      )
      SELECT ARRAY[${each((sum, n) => `total[${n}] + coalesce(sum(c.${sum}), 0)::bigint`)}],
             (SELECT array_agg(c.cell) FROM cell c WHERE c.farthest > reach AND NOT c.is_last)
      INTO total, tiles FROM counted c;
      EXIT WHEN tiles IS NULL;
      above := zoom;
    END LOOP;
    SELECT ${each((_, n) => `total[${n}]`)}
    INTO active_images, trashed_images, active_bytes, trashed_bytes;
  END $function$;
`;

/** How many images of a place or cell a list includes. */
const counted = (of: string): string =>
  `CASE WHEN trashed THEN ${of}.trashed_images WHEN NOT trashed THEN ${of}.active_images
        ELSE ${of}.active_images + ${of}.trashed_images END`;

/** The places of the tiles found that satisfy a condition on `k`. */
const found = (condition: string): string => `
          FROM unnest(rims, ends) AS tile (cell, cell_end)
          ${placesOf('tile', `${counted('k')} > 0 AND ${condition}`)}`;

// Certain to have enough images are some cells that are near by themselves, found first: they are
// few, and limit how many others have to be looked at. If no others were left out, that is all.
const placesNear = `
  CREATE OR REPLACE FUNCTION places_near(who uuid, latitude float8, longitude float8,
    trashed boolean, beyond float8, within float8, enough integer)
  RETURNS TABLE (location geography, distance float8)
  LANGUAGE plpgsql STABLE ROWS 20 ${kept} AS $function$
  #variable_conflict use_variable
  DECLARE
    ${variables}
    all_near boolean;
    complete boolean;
    left_none boolean;
    rims bigint[];
    ends bigint[];
    more bigint[];
  BEGIN
    reach := within;
    FOREACH all_near IN ARRAY ARRAY[false, true] LOOP
      ${begin}
      complete := true;
      rims := '{}';
      ends := '{}';
      FOREACH zoom IN ARRAY ${below} LOOP
        size := 1 << (26 - zoom);
        WITH cell AS MATERIALIZED (
          SELECT s.cell, s.nearest, s.farthest, ${counted('s')} AS images,
                 s.places <= ${few} OR zoom = 21 AS is_last
          FROM (${cellsBelow}) AS s
          WHERE ${counted('s')} > 0 AND s.nearest <= reach AND s.farthest >= beyond
        ),
        reached AS MATERIALIZED (
          SELECT c.*, sum(c.images) OVER (ORDER BY c.farthest, c.cell) - c.images AS images_before,
                 sum(c.images) FILTER (WHERE c.nearest > beyond) OVER (ORDER BY c.farthest)
                   AS images_at
          FROM cell c
        ),
        limited AS MATERIALIZED (
          SELECT least(reach, (SELECT min(r.farthest) FROM reached r WHERE r.images_at >= enough))
                   AS reach
        ),
        chosen AS (
          SELECT r.*, all_near OR r.images_before < 4 * enough AS is_chosen
          FROM reached r, limited l WHERE r.nearest <= l.reach
        )
        SELECT l.reach, array_agg(c.cell) FILTER (WHERE c.is_chosen AND NOT c.is_last),
               array_agg(c.cell) FILTER (WHERE c.is_chosen AND c.is_last),
               coalesce(bool_and(c.is_chosen), true)
        INTO reach, tiles, more, left_none
        FROM limited l LEFT JOIN chosen c ON true
        GROUP BY l.reach;
        complete := complete AND left_none;
        IF more IS NOT NULL THEN
          rims := rims || more;
          ends := ends
            || (SELECT array_agg(m + (1::bigint << (52 - 2 * zoom))) FROM unnest(more) AS m);
        END IF;
        EXIT WHEN tiles IS NULL;
        above := zoom;
      END LOOP;
      EXIT WHEN complete;
      IF NOT all_near THEN
        WITH reached AS (
          SELECT p.metres, sum(p.images) OVER (ORDER BY p.metres) AS images
          FROM (
            SELECT ${onSphere('p')} AS metres, ${counted('p')} AS images
            ${found(`${onSphere('k')} < (within - 0.01) / ${most}
              AND ${onSphere('k')} > (beyond + 0.01) / ${least}`)}
          ) AS p
        )
        SELECT least(reach, min(r.metres) * ${most} + 0.01) INTO reach
        FROM reached r WHERE r.images >= enough;
      END IF;
    END LOOP;
    RETURN QUERY
      WITH place AS MATERIALIZED (
        SELECT p.location AS spot, ST_Distance(p.location, point) AS metres,
               ${counted('p')} AS images
        ${found(`${onSphere('k')} <= (reach + 0.01) / ${least} AND ${isWithin('within')}`)}
      ),
      reached AS (
        SELECT p.metres, sum(p.images) OVER (ORDER BY p.metres) AS images
        FROM place p WHERE p.metres > beyond
      )
      SELECT p.spot, p.metres FROM place p
      WHERE p.metres >= beyond AND p.metres <=
        coalesce((SELECT min(r.metres) FROM reached r WHERE r.images >= enough), 'infinity');
  END $function$;
`;
