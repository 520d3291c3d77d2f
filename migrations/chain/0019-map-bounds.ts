// What the functions of migration 19 have in common: where they begin, and how far away the cells and
// places of a map are, at least and at most.

/** The zooms at which sums are kept, from the whole world down. */
const zooms = 'ARRAY[0, 6, 9, 12, 15, 18, 21]';

// The plans are the same whatever there is: descents of an index. Estimates made when a table was
// small would last as long as the connection.
export const kept = `SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
    SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off`;

/**
 * The point, `at_x` and `at_y` of it in cells of zoom 26, and how long and high a cell is there, in
 * meters on the ellipsoid.
 *
 * Distances that are measured on the map as if it had that scale everywhere are off by at most `bend`
 * times themselves as long as they are below `flat`: along the shortest path, the scale changes at
 * most by the factor e per radian of the map, and the radii of the ellipsoid by one percent of that.
 * Nothing within `flat` is beyond an edge of the map.
 */
export const variables = `
    point CONSTANT geography := ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)::geography;
    slope CONSTANT float8 := 1 - 0.0066943799901413 * sin(radians(latitude)) ^ 2;
    scale CONSTANT float8 := greatest(cos(radians(latitude)), 0.01);
    at_x CONSTANT float8 := (longitude + 180) / 360 * 67108864;
    at_y CONSTANT float8 := CASE WHEN abs(latitude) < 85
      THEN (1 - asinh(tan(radians(latitude))) / pi()) / 2 * 67108864 ELSE 0 END;
    length CONSTANT float8 := 6378137 / sqrt(slope) * scale * 2 * pi() / 67108864;
    height CONSTANT float8 := length * (1 - 0.0066943799901413) / slope;
    bend CONSTANT float8 := 1.1 / (6335439 * scale);
    flat CONSTANT float8 := least(0.1 / bend, height * least(at_x, at_y, 67108864 - at_x,
                                                             67108864 - at_y));
    reach float8;
    reach_cells float8;
    tiles bigint[];
    above integer;
    zoom integer;
    size float8;`;

/** Sets `tiles` of a zoom `above` to the few within `reach` meters, or else the whole world. */
export const begin = `
    above := 0;
    tiles := ARRAY[0];
    reach_cells := (reach * (1 + 2 * bend * reach) + 1) / height;
    IF reach_cells * height < flat THEN
      FOREACH zoom IN ARRAY ${zooms} LOOP
        EXIT WHEN reach_cells > 2 << (26 - zoom);
        above := zoom;
      END LOOP;
      SELECT array_agg((spread_bits(x) | (spread_bits(y) << 1)) << (52 - 2 * above)) INTO tiles
      FROM generate_series(floor(at_x - reach_cells)::bigint >> (26 - above),
                           floor(at_x + reach_cells)::bigint >> (26 - above)) AS x,
           generate_series(floor(at_y - reach_cells)::bigint >> (26 - above),
                           floor(at_y + reach_cells)::bigint >> (26 - above)) AS y;
    END IF;`;

/** The zooms to go down from there. */
export const below = `(${zooms})[array_position(${zooms}, above):]`;

const onMap = (x: string, y: string): string => `sqrt((${x} * length) ^ 2 + (${y} * height) ^ 2)`;
const center = (axis: 'x' | 'y'): string => `abs((k.${axis} + 0.5::float8) * size - at_${axis})`;
const edge = (axis: 'x' | 'y'): string => `greatest(${center(axis)} - size / 2, 0)`;

/**
 * The user's cells of a `zoom` inside the tiles `tiles` of zoom `above`, with how far what is in them
 * may be from the point: `nearest` and `farthest`, where a centimeter covers rounding. A cell is `size`
 * cells of zoom 26 long.
 *
 * Where the map is not flat, the distance of a cell's center is measured, and half its width added,
 * as nothing in it is farther from its center. A distance on a map is one on a sphere divided by the
 * cosine of the latitude, which changes by no more than half as much as the place on the map; and one
 * on the ellipsoid is at most 6,399,700 m per radian of latitudes and longitudes taken for those of a
 * sphere. A cell at the edge of the map reaches to the pole, 0.0864 beyond the map; no two points are
 * farther apart than the poles; and the whole world is nowhere.
 */
export const cellsBelow = `
      SELECT s.*, s.bounds[1] AS nearest, s.bounds[2] AS farthest FROM (
        SELECT c.*, CASE WHEN c.most <= flat
          THEN ARRAY[c.least * (1 - bend * c.least) - 0.01, c.most * (1 + bend * c.most) + 0.01]
          ELSE (
            SELECT ARRAY[d.metres - d.width - 0.01, least(20003932, d.metres + d.width + 0.01)]
            FROM (
              SELECT CASE WHEN zoom = 0 THEN 0 ELSE ST_Distance(point, ST_SetSRID(ST_MakePoint(
                       degrees(m.x), degrees(atan(sinh(m.y)))), 4326)::geography) END AS metres,
                     6399700 * CASE WHEN zoom = 0 THEN pi()
                       WHEN c.y IN (0, (1 << zoom) - 1) THEN pi() / 2 - abs(atan(sinh(m.y))) + 0.0864
                       ELSE sqrt(2) * m.half * (1 / cosh(m.y) + m.half / 2) END AS width
              FROM (
                SELECT pi() * (2 * c.x + 1) / (1 << zoom) - pi() AS x,
                       pi() - pi() * (2 * c.y + 1) / (1 << zoom) AS y, pi() / (1 << zoom) AS half
              ) AS m OFFSET 0
            ) AS d
          ) END AS bounds
        FROM unnest(tiles) AS tile (cell)
        CROSS JOIN LATERAL (
          SELECT k.*, ${onMap(edge('x'), edge('y'))} AS least,
                 ${onMap(`(${center('x')} + size / 2)`, `(${center('y')} + size / 2)`)} AS most
          FROM map_cells k
          WHERE k.user_id = who AND k.zoom = zoom
            AND k.cell >= tile.cell AND k.cell < tile.cell + (1::bigint << (52 - 2 * above))
          OFFSET 0
        ) AS c
        OFFSET 0
      ) AS s`;

/** The places `p` of a tile from `cell` up to `cell_end` that satisfy a condition on `k`. */
export const placesOf = (tile: string, condition: string): string => `
        CROSS JOIN LATERAL (
          SELECT * FROM places k
          WHERE k.user_id = who AND k.cell >= ${tile}.cell AND k.cell < ${tile}.cell_end
            AND ${condition}
          OFFSET 0
        ) AS p`;

/**
 * How far a place is on a sphere, which is quick to calculate. On the ellipsoid, it is between `least`
 * and `most` times as far, as the ratios of their radii are; a centimeter covers rounding.
 */
export const onSphere = (of: string): string => `ST_Distance(${of}.location, point, false)`;
export const [least, most] = [0.9944, 1.0045];

/** Whether a place `k` is within a radius: only near it, the ellipsoid is needed. */
export const isWithin = (radius: string): string => `
            CASE width_bucket(${onSphere('k')},
                              ARRAY[(${radius} - 0.01) / ${most}, (${radius} + 0.01) / ${least}])
              WHEN 0 THEN true WHEN 1 THEN ST_DWithin(k.location, point, ${radius}) ELSE false END`;
