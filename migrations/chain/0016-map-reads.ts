import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What reads the cells of migration 15 from the whole world down (docs/adr/0013): functions, since
 * each step depends on what the one before found, and since their plans are kept.
 */
export class MapReads0000000000016 implements MigrationInterface {
  readonly name = 'MapReads0000000000016';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(sumWithin);
    await runner.query(placesNear);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

/** Cells with no more places than this are read place by place. */
const few = 64;

/** The zooms at which sums are kept, from the whole world down. */
const zooms = 'ARRAY[0, 6, 9, 12, 15, 18, 21]';

/**
 * The user's cells of a `zoom` inside the tiles `tiles` of zoom `above`, each with the distance of its
 * center from the point, and its own half width: nothing in it is farther from its center.
 *
 * A distance on a map is one on a sphere divided by the cosine of the latitude, which changes by no
 * more than half as much as the place on the map; and one on the ellipsoid is at most 6,399,700 m per
 * radian of latitudes and longitudes taken for those of a sphere. A cell at the edge of the map reaches
 * to the pole, 0.0864 beyond the map. The whole world is nowhere.
 */
const cellsBelow = `
      SELECT c.*, CASE WHEN c.zoom = 0 THEN 0 ELSE ST_Distance(point, ST_SetSRID(ST_MakePoint(
               degrees(m.x), degrees(atan(sinh(m.y)))), 4326)::geography) END AS metres,
             6399700 * CASE WHEN c.zoom = 0 THEN pi()
               WHEN c.y IN (0, (1 << zoom) - 1) THEN pi() / 2 - abs(atan(sinh(m.y))) + 0.0864
               ELSE sqrt(2) * m.half * (1 / cosh(m.y) + m.half / 2) END AS width
      FROM unnest(tiles) AS tile (cell)
      CROSS JOIN LATERAL (
        SELECT * FROM map_cells k
        WHERE k.user_id = who AND k.zoom = zoom
          AND k.cell >= tile.cell AND k.cell < tile.cell + (1::bigint << (52 - 2 * above))
        OFFSET 0
      ) AS c
      CROSS JOIN LATERAL (
        SELECT pi() * (2 * c.x + 1) / (1 << zoom) - pi() AS x,
               pi() - pi() * (2 * c.y + 1) / (1 << zoom) AS y, pi() / (1 << zoom) AS half
      ) AS m`;

/** A centimeter covers rounding; and no two points are farther apart than the poles. */
const nearest = 'metres - width - 0.01';
const farthest = 'least(20003932, metres + width + 0.01)';

// The plans are the same whatever there is: descents of an index. Estimates made when a table was
// small would last as long as the connection. OFFSET 0 has each tile looked up by itself.
const kept = `SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
    SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off`;

const sums = ['active_images', 'trashed_images', 'active_bytes', 'trashed_bytes'];
const each = (sql: (name: string) => string): string => sums.map(sql).join(', ');

const sumWithin = `
  -- Sums of the images within a radius in meters: cells that are inside as a whole, and the places
  -- of those at the rim.
  CREATE FUNCTION sum_within(who uuid, latitude float8, longitude float8, radius float8,
    OUT active_images bigint, OUT trashed_images bigint, OUT active_bytes bigint,
    OUT trashed_bytes bigint)
  LANGUAGE plpgsql STABLE ${kept} AS $function$
  #variable_conflict use_variable
  DECLARE
    point CONSTANT geography := ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)::geography;
    total bigint[] := ARRAY[0, 0, 0, 0];
    inside bigint[];
    tiles bigint[] := ARRAY[0];
    rim bigint[];
    above integer := 0;
    zoom integer;
  BEGIN
    FOREACH zoom IN ARRAY ${zooms} LOOP
      WITH seen AS MATERIALIZED (${cellsBelow}),
      cell AS (
        SELECT s.*, ${farthest} <= radius AS is_inside,
               s.places <= ${few} OR s.zoom = 21 AS is_last
        FROM seen s WHERE ${nearest} <= radius
      )
      SELECT ARRAY[${each((s) => `coalesce(sum(c.${s}) FILTER (WHERE is_inside), 0)::bigint`)}],
             array_agg(c.cell) FILTER (WHERE NOT is_inside AND is_last),
             array_agg(c.cell) FILTER (WHERE NOT is_inside AND NOT is_last)
      INTO inside, rim, tiles FROM cell c;
      SELECT array_agg(t.sum + i.sum ORDER BY n) INTO total
      FROM unnest(total) WITH ORDINALITY AS t (sum, n)
      JOIN unnest(inside) WITH ORDINALITY AS i (sum, n) USING (n);
      IF rim IS NOT NULL THEN
        SELECT ARRAY[${sums.map((s, i) => `total[${i + 1}] + coalesce(sum(p.${s}), 0)::bigint`).join(', ')}]
        INTO total
        FROM unnest(rim) AS tile (cell)
        CROSS JOIN LATERAL (
          SELECT * FROM places k
          WHERE k.user_id = who AND k.cell >= tile.cell
            AND k.cell < tile.cell + (1::bigint << (52 - 2 * zoom))
          OFFSET 0
        ) AS p
        WHERE ST_DWithin(p.location, point, radius);
      END IF;
      EXIT WHEN tiles IS NULL;
      above := zoom;
    END LOOP;
    SELECT ${sums.map((_, i) => `total[${i + 1}]`).join(', ')}
    INTO active_images, trashed_images, active_bytes, trashed_bytes;
  END $function$;
`;

/** How many images of a place or cell a list includes. */
const counted = (of: string): string =>
  `CASE WHEN trashed THEN ${of}.trashed_images WHEN NOT trashed THEN ${of}.active_images
        ELSE ${of}.active_images + ${of}.trashed_images END`;

/** The places of the tiles found, and how many images there are up to each of them. */
const measured = `place AS MATERIALIZED (
          SELECT p.location AS spot, ST_Distance(p.location, point) AS metres,
                 ${counted('p')} AS images
          FROM unnest(rims, ends) AS tile (cell, cell_end)
          CROSS JOIN LATERAL (
            SELECT * FROM places k
            WHERE k.user_id = who AND k.cell >= tile.cell AND k.cell < tile.cell_end
            OFFSET 0
          ) AS p
          WHERE ${counted('p')} > 0
            AND (within = 'infinity' OR ST_DWithin(p.location, point, within))
        ),
        reached AS MATERIALIZED (
          SELECT metres, sum(images) OVER (ORDER BY metres) AS images
          FROM place WHERE metres > beyond
        )`;

// Certain to have enough images are some cells that are near by themselves, found first: they are
// few, and limit how many others have to be looked at.
const placesNear = `
  -- The places around a point, from \`beyond\` meters on, that have the next \`enough\` images among
  -- them, as far as \`within\`. Trashed: only images in the trash, only others, or null for all.
  CREATE FUNCTION places_near(who uuid, latitude float8, longitude float8, trashed boolean,
    beyond float8, within float8, enough integer)
  RETURNS TABLE (location geography, distance float8)
  LANGUAGE plpgsql STABLE ROWS 20 ${kept} AS $function$
  #variable_conflict use_variable
  DECLARE
    point CONSTANT geography := ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)::geography;
    reach float8 := within;
    all_near boolean;
    tiles bigint[];
    above integer;
    zoom integer;
    rims bigint[];
    ends bigint[];
    more bigint[];
  BEGIN
    FOREACH all_near IN ARRAY ARRAY[false, true] LOOP
      tiles := ARRAY[0];
      above := 0;
      rims := '{}';
      ends := '{}';
      FOREACH zoom IN ARRAY ${zooms} LOOP
        WITH seen AS MATERIALIZED (${cellsBelow}),
        cell AS MATERIALIZED (
          SELECT s.cell, ${nearest} AS nearest, ${farthest} AS farthest, ${counted('s')} AS images,
                 s.places <= ${few} OR s.zoom = 21 AS is_last
          FROM seen s WHERE ${counted('s')} > 0 AND ${nearest} <= reach AND ${farthest} >= beyond
        ),
        reached AS MATERIALIZED (
          SELECT c.cell, farthest, nearest,
                 sum(images) OVER (ORDER BY farthest, c.cell) - images AS images_before,
                 sum(images) FILTER (WHERE nearest > beyond) OVER (ORDER BY farthest) AS images_at
          FROM cell c
        ),
        limited AS MATERIALIZED (
          SELECT least(reach, (SELECT min(farthest) FROM reached WHERE images_at >= enough)) AS reach
        )
        SELECT l.reach, array_agg(c.cell) FILTER (WHERE NOT c.is_last),
               array_agg(c.cell) FILTER (WHERE c.is_last)
        INTO reach, tiles, more
        FROM limited l
        LEFT JOIN (SELECT * FROM cell JOIN reached r USING (cell, nearest, farthest)) AS c
          ON c.nearest <= l.reach AND (all_near OR c.images_before < 4 * enough)
        GROUP BY l.reach;
        IF more IS NOT NULL THEN
          rims := rims || more;
          ends := ends
            || (SELECT array_agg(m + (1::bigint << (52 - 2 * zoom))) FROM unnest(more) AS m);
        END IF;
        EXIT WHEN tiles IS NULL;
        above := zoom;
      END LOOP;
      IF NOT all_near THEN
        WITH ${measured}
        SELECT least(reach, min(r.metres)) INTO reach FROM reached r WHERE r.images >= enough;
      END IF;
    END LOOP;
    RETURN QUERY
      WITH ${measured}
      SELECT p.spot, p.metres FROM place p
      WHERE p.metres >= beyond AND p.metres <=
        coalesce((SELECT min(r.metres) FROM reached r WHERE r.images >= enough), 'infinity');
  END $function$;
`;
