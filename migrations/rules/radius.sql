-- What reads places around a point from the map: functions, since each step depends on what the one before
-- found, and since their plans are kept. They begin near the point, and measure on the map what need not be
-- measured on the ellipsoid (docs/adr/0013).

-- Where a point is on the map, what a cell of zoom 26 measures there in meters, how much the map bends, and how
-- far it is flat enough; and the tiles, of one zoom, in which everything within reach is.
CREATE FUNCTION map_around(latitude float8, longitude float8, reach float8,
  OUT point geography, OUT at_x float8, OUT at_y float8, OUT length float8, OUT height float8, OUT bend float8,
  OUT flat float8, OUT above integer, OUT tiles bigint[])
LANGUAGE plpgsql IMMUTABLE AS $function$
DECLARE
  slope CONSTANT float8 := 1 - 0.0066943799901413 * sin(radians(latitude)) ^ 2;
  scale CONSTANT float8 := greatest(cos(radians(latitude)), 0.01);
  reach_cells float8;
  zoom integer;
BEGIN
  point := ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)::geography;
  at_x := (longitude + 180) / 360 * 67108864;
  at_y := CASE WHEN abs(latitude) < 85
    THEN (1 - asinh(tan(radians(latitude))) / pi()) / 2 * 67108864 ELSE 0 END;
  length := 6378137 / sqrt(slope) * scale * 2 * pi() / 67108864;
  height := length * (1 - 0.0066943799901413) / slope;
  bend := 1.1 / (6335439 * scale);
  flat := least(0.1 / bend, height * least(at_x, at_y, 67108864 - at_x, 67108864 - at_y));
  above := 0;
  tiles := ARRAY[0];
  reach_cells := (reach * (1 + 2 * bend * reach) + 1) / height;
  IF reach_cells * height < flat THEN
    FOREACH zoom IN ARRAY ARRAY[0, 6, 9, 12, 15, 18, 21] LOOP
      EXIT WHEN reach_cells > 2 << (26 - zoom);
      above := zoom;
    END LOOP;
    SELECT array_agg((spread_bits(x) | (spread_bits(y) << 1)) << (52 - 2 * above)) INTO tiles
    FROM generate_series(floor(at_x - reach_cells)::bigint >> (26 - above),
                         floor(at_x + reach_cells)::bigint >> (26 - above)) AS x,
         generate_series(floor(at_y - reach_cells)::bigint >> (26 - above),
                         floor(at_y + reach_cells)::bigint >> (26 - above)) AS y;
  END IF;
END $function$;

-- The cells of a level in tiles of the zoom `above`, with the least and the most that their places are away from
-- the point; a last one is not divided further. Part of the statements that read it, which are kept.
CREATE FUNCTION cells_around(who uuid, point geography, at_x float8, at_y float8, length float8, height float8,
  bend float8, flat float8, tiles bigint[], above integer, level integer)
RETURNS TABLE (cell bigint, cell_end bigint, is_last boolean, active_images integer, trashed_images integer,
  active_bytes bigint, trashed_bytes bigint, nearest float8, farthest float8)
LANGUAGE sql STABLE AS $function$
  SELECT s.cell, s.cell + (1::bigint << (52 - 2 * level)), s.places <= 192 OR level = 21, s.active_images,
         s.trashed_images, s.active_bytes, s.trashed_bytes, s.bounds[1], s.bounds[2]
  FROM (
    SELECT c.*, CASE WHEN c.most <= flat
      THEN ARRAY[c.least * (1 - bend * c.least) - 0.01, c.most * (1 + bend * c.most) + 0.01]
      ELSE (
        SELECT ARRAY[d.metres - d.width - 0.01, least(20003932, d.metres + d.width + 0.01)]
        FROM (
          SELECT CASE WHEN level = 0 THEN 0 ELSE ST_Distance(point, ST_SetSRID(ST_MakePoint(
                   degrees(m.x), degrees(atan(sinh(m.y)))), 4326)::geography) END AS metres,
                 6399700 * CASE WHEN level = 0 THEN pi()
                   WHEN c.y IN (0, (1 << level) - 1) THEN pi() / 2 - abs(atan(sinh(m.y))) + 0.0864
                   ELSE sqrt(2) * m.half * (1 / cosh(m.y) + m.half / 2) END AS width
          FROM (
            SELECT pi() * (2 * c.x + 1) / (1 << level) - pi() AS x,
                   pi() - pi() * (2 * c.y + 1) / (1 << level) AS y, pi() / (1 << level) AS half
          ) AS m OFFSET 0
        ) AS d
      ) END AS bounds
    FROM unnest(tiles) AS tile (cell)
    CROSS JOIN LATERAL (
      SELECT k.*, sqrt((greatest(d.x - d.half, 0) * length) ^ 2 + (greatest(d.y - d.half, 0) * height) ^ 2) AS least,
             sqrt(((d.x + d.half) * length) ^ 2 + ((d.y + d.half) * height) ^ 2) AS most
      FROM map_cells k
      CROSS JOIN LATERAL (
        SELECT abs((k.x + 0.5::float8) * (1 << (26 - level)) - at_x) AS x,
               abs((k.y + 0.5::float8) * (1 << (26 - level)) - at_y) AS y,
               (1 << (26 - level))::float8 / 2 AS half
      ) AS d
      WHERE k.user_id = who AND k.zoom = level
        AND k.cell >= tile.cell AND k.cell < tile.cell + (1::bigint << (52 - 2 * above))
      OFFSET 0
    ) AS c
    OFFSET 0
  ) AS s
$function$;

-- Sums of the images within a radius in meters: cells that are inside as a whole, and the places
-- of those at the rim.
CREATE FUNCTION sum_within(who uuid, latitude float8, longitude float8, radius float8,
  OUT active_images bigint, OUT trashed_images bigint, OUT active_bytes bigint,
  OUT trashed_bytes bigint)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $function$
#variable_conflict use_variable
DECLARE
  around record;
  tiles bigint[];
  above integer;
  zoom integer;
  total bigint[] := ARRAY[0, 0, 0, 0];
BEGIN
  SELECT * INTO around FROM map_around(latitude, longitude, radius);
  tiles := around.tiles;
  above := around.above;
  FOREACH zoom IN ARRAY (ARRAY[0, 6, 9, 12, 15, 18, 21])[array_position(ARRAY[0, 6, 9, 12, 15, 18, 21], above):] LOOP
    WITH cell AS MATERIALIZED (
      SELECT c.*
      FROM cells_around(who, around.point, around.at_x, around.at_y, around.length, around.height, around.bend,
                        around.flat, tiles, above, zoom) AS c
      WHERE c.nearest <= radius
    ),
    counted AS (
      SELECT c.active_images, c.trashed_images, c.active_bytes, c.trashed_bytes FROM cell c WHERE c.farthest <= radius
      UNION ALL
      SELECT p.active_images, p.trashed_images, p.active_bytes, p.trashed_bytes
      FROM (SELECT * FROM cell c WHERE c.farthest > radius AND c.is_last) AS rim
      CROSS JOIN LATERAL (
        SELECT * FROM places k
        WHERE k.user_id = who AND k.cell >= rim.cell AND k.cell < rim.cell_end
          AND CASE width_bucket(ST_Distance(k.location, around.point, false),
                            ARRAY[(radius - 0.01) / 1.0045, (radius + 0.01) / 0.9944])
              WHEN 0 THEN true WHEN 1 THEN ST_DWithin(k.location, around.point, radius) ELSE false END
        OFFSET 0
      ) AS p
    )
    SELECT ARRAY[total[1] + coalesce(sum(c.active_images), 0)::bigint,
                 total[2] + coalesce(sum(c.trashed_images), 0)::bigint,
                 total[3] + coalesce(sum(c.active_bytes), 0)::bigint,
                 total[4] + coalesce(sum(c.trashed_bytes), 0)::bigint],
           (SELECT array_agg(c.cell) FROM cell c WHERE c.farthest > radius AND NOT c.is_last)
    INTO total, tiles FROM counted c;
    EXIT WHEN tiles IS NULL;
    above := zoom;
  END LOOP;
  SELECT total[1], total[2], total[3], total[4]
  INTO active_images, trashed_images, active_bytes, trashed_bytes;
END $function$;

-- The places around a point, from `beyond` meters on, that have the next `enough` images among
-- them, as far as `within`. Trashed: only images in the trash, only others, or null for all.
CREATE FUNCTION places_near(who uuid, latitude float8, longitude float8,
  trashed boolean, beyond float8, within float8, enough integer)
RETURNS TABLE (location geography, distance float8)
LANGUAGE plpgsql STABLE ROWS 20 SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $function$
#variable_conflict use_variable
DECLARE
  active CONSTANT integer := (trashed IS NOT TRUE)::integer;
  trash CONSTANT integer := (trashed IS NOT FALSE)::integer;
  around record;
  reach float8;
  tiles bigint[];
  above integer;
  zoom integer;
  all_near boolean;
  complete boolean;
  left_none boolean;
  rims bigint[];
  ends bigint[];
  more bigint[];
BEGIN
  reach := within;
  FOREACH all_near IN ARRAY ARRAY[false, true] LOOP
    SELECT * INTO around FROM map_around(latitude, longitude, reach);
    tiles := around.tiles;
    above := around.above;
    complete := true;
    rims := '{}';
    ends := '{}';
    FOREACH zoom IN ARRAY (ARRAY[0, 6, 9, 12, 15, 18, 21])[array_position(ARRAY[0, 6, 9, 12, 15, 18, 21], above):] LOOP
      WITH cell AS MATERIALIZED (
        SELECT c.* FROM (
          SELECT s.*, active * s.active_images + trash * s.trashed_images AS images
          FROM cells_around(who, around.point, around.at_x, around.at_y, around.length, around.height,
                            around.bend, around.flat, tiles, above, zoom) AS s
        ) AS c
        WHERE c.images > 0 AND c.nearest <= reach AND c.farthest >= beyond
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
          SELECT ST_Distance(p.location, around.point, false) AS metres,
                 active * p.active_images + trash * p.trashed_images AS images
          FROM unnest(rims, ends) AS tile (cell, cell_end)
          CROSS JOIN LATERAL (
            SELECT * FROM places k
            WHERE k.user_id = who AND k.cell >= tile.cell AND k.cell < tile.cell_end
              AND active * k.active_images + trash * k.trashed_images > 0
              AND ST_Distance(k.location, around.point, false) < (within - 0.01) / 1.0045
              AND ST_Distance(k.location, around.point, false) > (beyond + 0.01) / 0.9944
            OFFSET 0
          ) AS p
        ) AS p
      )
      SELECT least(reach, min(r.metres) * 1.0045 + 0.01) INTO reach
      FROM reached r WHERE r.images >= enough;
    END IF;
  END LOOP;
  RETURN QUERY
    WITH place AS MATERIALIZED (
      SELECT p.location AS spot, ST_Distance(p.location, around.point) AS metres,
             active * p.active_images + trash * p.trashed_images AS images
      FROM unnest(rims, ends) AS tile (cell, cell_end)
      CROSS JOIN LATERAL (
        SELECT * FROM places k
        WHERE k.user_id = who AND k.cell >= tile.cell AND k.cell < tile.cell_end
          AND active * k.active_images + trash * k.trashed_images > 0
          AND ST_Distance(k.location, around.point, false) <= (reach + 0.01) / 0.9944
          AND CASE width_bucket(ST_Distance(k.location, around.point, false),
                            ARRAY[(within - 0.01) / 1.0045, (within + 0.01) / 0.9944])
            WHEN 0 THEN true WHEN 1 THEN ST_DWithin(k.location, around.point, within) ELSE false END
        OFFSET 0
      ) AS p
    ),
    reached AS (
      SELECT p.metres, sum(p.images) OVER (ORDER BY p.metres) AS images
      FROM place p WHERE p.metres > beyond
    )
    SELECT p.spot, p.metres FROM place p
    WHERE p.metres >= beyond AND p.metres <=
      coalesce((SELECT min(r.metres) FROM reached r WHERE r.images >= enough), 'infinity');
END $function$;
