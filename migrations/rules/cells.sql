-- The cells of maps, and the sums of places that they keep (docs/adr/0013).

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

CREATE FUNCTION fill_map_cells(who uuid[]) RETURNS void
LANGUAGE plpgsql SET jit = off AS $function$
BEGIN
  INSERT INTO map_cells (user_id, platform_id, zoom, cell, x, y, places, active_places, trashed_places, active_images, trashed_images, active_bytes, trashed_bytes,
                         active_at, active_id, active_cell)
  SELECT user_id, platform_id, 24, tile, x, y, sum(places), sum(active_places), sum(trashed_places), sum(active_images), sum(trashed_images), sum(active_bytes), sum(trashed_bytes),
         max(active_at) FILTER (WHERE nth = 1), (array_agg(active_id) FILTER (WHERE nth = 1))[1],
         max(active_cell) FILTER (WHERE nth = 1)
  FROM (
    SELECT c.user_id, u.platform_id, c.cell >> 4 << 4 AS tile,
           map_x(c.location) >> 2 AS x, map_y(c.location) >> 2 AS y,
           1 AS places, (c.active_id IS NOT NULL)::integer AS active_places,
           (c.trashed_id IS NOT NULL)::integer AS trashed_places,
           c.active_images, c.trashed_images, c.active_bytes, c.trashed_bytes, c.active_at, c.active_id,
           CASE WHEN c.active_id IS NOT NULL THEN c.cell END AS active_cell, row_number() OVER (
             PARTITION BY c.user_id, c.cell >> 4
             ORDER BY c.active_at DESC NULLS LAST, c.active_id DESC) AS nth
    FROM places c JOIN users u ON u.id = c.user_id WHERE who IS NULL OR c.user_id = ANY (who)
  ) AS numbered
  GROUP BY user_id, platform_id, tile, x, y;
  INSERT INTO map_cells (user_id, platform_id, zoom, cell, x, y, places, active_places, trashed_places, active_images, trashed_images, active_bytes, trashed_bytes,
                         active_at, active_id, active_cell)
  SELECT user_id, platform_id, 21, tile, x, y, sum(places), sum(active_places), sum(trashed_places), sum(active_images), sum(trashed_images), sum(active_bytes), sum(trashed_bytes),
         max(active_at) FILTER (WHERE nth = 1), (array_agg(active_id) FILTER (WHERE nth = 1))[1],
         max(active_cell) FILTER (WHERE nth = 1)
  FROM (
    SELECT c.user_id, c.platform_id, c.cell >> 10 << 10 AS tile,
           c.x >> 3 AS x, c.y >> 3 AS y,
           c.places, c.active_places, c.trashed_places, c.active_images, c.trashed_images, c.active_bytes, c.trashed_bytes, c.active_at, c.active_id, c.active_cell, row_number() OVER (
             PARTITION BY c.user_id, c.cell >> 10
             ORDER BY c.active_at DESC NULLS LAST, c.active_id DESC) AS nth
    FROM map_cells c WHERE c.zoom = 24 AND (who IS NULL OR c.user_id = ANY (who))
  ) AS numbered
  GROUP BY user_id, platform_id, tile, x, y;
  INSERT INTO map_cells (user_id, platform_id, zoom, cell, x, y, places, active_places, trashed_places, active_images, trashed_images, active_bytes, trashed_bytes,
                         active_at, active_id, active_cell)
  SELECT user_id, platform_id, 18, tile, x, y, sum(places), sum(active_places), sum(trashed_places), sum(active_images), sum(trashed_images), sum(active_bytes), sum(trashed_bytes),
         max(active_at) FILTER (WHERE nth = 1), (array_agg(active_id) FILTER (WHERE nth = 1))[1],
         max(active_cell) FILTER (WHERE nth = 1)
  FROM (
    SELECT c.user_id, c.platform_id, c.cell >> 16 << 16 AS tile,
           c.x >> 3 AS x, c.y >> 3 AS y,
           c.places, c.active_places, c.trashed_places, c.active_images, c.trashed_images, c.active_bytes, c.trashed_bytes, c.active_at, c.active_id, c.active_cell, row_number() OVER (
             PARTITION BY c.user_id, c.cell >> 16
             ORDER BY c.active_at DESC NULLS LAST, c.active_id DESC) AS nth
    FROM map_cells c WHERE c.zoom = 21 AND (who IS NULL OR c.user_id = ANY (who))
  ) AS numbered
  GROUP BY user_id, platform_id, tile, x, y;
  INSERT INTO map_cells (user_id, platform_id, zoom, cell, x, y, places, active_places, trashed_places, active_images, trashed_images, active_bytes, trashed_bytes,
                         active_at, active_id, active_cell)
  SELECT user_id, platform_id, 15, tile, x, y, sum(places), sum(active_places), sum(trashed_places), sum(active_images), sum(trashed_images), sum(active_bytes), sum(trashed_bytes),
         max(active_at) FILTER (WHERE nth = 1), (array_agg(active_id) FILTER (WHERE nth = 1))[1],
         max(active_cell) FILTER (WHERE nth = 1)
  FROM (
    SELECT c.user_id, c.platform_id, c.cell >> 22 << 22 AS tile,
           c.x >> 3 AS x, c.y >> 3 AS y,
           c.places, c.active_places, c.trashed_places, c.active_images, c.trashed_images, c.active_bytes, c.trashed_bytes, c.active_at, c.active_id, c.active_cell, row_number() OVER (
             PARTITION BY c.user_id, c.cell >> 22
             ORDER BY c.active_at DESC NULLS LAST, c.active_id DESC) AS nth
    FROM map_cells c WHERE c.zoom = 18 AND (who IS NULL OR c.user_id = ANY (who))
  ) AS numbered
  GROUP BY user_id, platform_id, tile, x, y;
  INSERT INTO map_cells (user_id, platform_id, zoom, cell, x, y, places, active_places, trashed_places, active_images, trashed_images, active_bytes, trashed_bytes,
                         active_at, active_id, active_cell)
  SELECT user_id, platform_id, 12, tile, x, y, sum(places), sum(active_places), sum(trashed_places), sum(active_images), sum(trashed_images), sum(active_bytes), sum(trashed_bytes),
         max(active_at) FILTER (WHERE nth = 1), (array_agg(active_id) FILTER (WHERE nth = 1))[1],
         max(active_cell) FILTER (WHERE nth = 1)
  FROM (
    SELECT c.user_id, c.platform_id, c.cell >> 28 << 28 AS tile,
           c.x >> 3 AS x, c.y >> 3 AS y,
           c.places, c.active_places, c.trashed_places, c.active_images, c.trashed_images, c.active_bytes, c.trashed_bytes, c.active_at, c.active_id, c.active_cell, row_number() OVER (
             PARTITION BY c.user_id, c.cell >> 28
             ORDER BY c.active_at DESC NULLS LAST, c.active_id DESC) AS nth
    FROM map_cells c WHERE c.zoom = 15 AND (who IS NULL OR c.user_id = ANY (who))
  ) AS numbered
  GROUP BY user_id, platform_id, tile, x, y;
  INSERT INTO map_cells (user_id, platform_id, zoom, cell, x, y, places, active_places, trashed_places, active_images, trashed_images, active_bytes, trashed_bytes,
                         active_at, active_id, active_cell)
  SELECT user_id, platform_id, 9, tile, x, y, sum(places), sum(active_places), sum(trashed_places), sum(active_images), sum(trashed_images), sum(active_bytes), sum(trashed_bytes),
         max(active_at) FILTER (WHERE nth = 1), (array_agg(active_id) FILTER (WHERE nth = 1))[1],
         max(active_cell) FILTER (WHERE nth = 1)
  FROM (
    SELECT c.user_id, c.platform_id, c.cell >> 34 << 34 AS tile,
           c.x >> 3 AS x, c.y >> 3 AS y,
           c.places, c.active_places, c.trashed_places, c.active_images, c.trashed_images, c.active_bytes, c.trashed_bytes, c.active_at, c.active_id, c.active_cell, row_number() OVER (
             PARTITION BY c.user_id, c.cell >> 34
             ORDER BY c.active_at DESC NULLS LAST, c.active_id DESC) AS nth
    FROM map_cells c WHERE c.zoom = 12 AND (who IS NULL OR c.user_id = ANY (who))
  ) AS numbered
  GROUP BY user_id, platform_id, tile, x, y;
  INSERT INTO map_cells (user_id, platform_id, zoom, cell, x, y, places, active_places, trashed_places, active_images, trashed_images, active_bytes, trashed_bytes,
                         active_at, active_id, active_cell)
  SELECT user_id, platform_id, 6, tile, x, y, sum(places), sum(active_places), sum(trashed_places), sum(active_images), sum(trashed_images), sum(active_bytes), sum(trashed_bytes),
         max(active_at) FILTER (WHERE nth = 1), (array_agg(active_id) FILTER (WHERE nth = 1))[1],
         max(active_cell) FILTER (WHERE nth = 1)
  FROM (
    SELECT c.user_id, c.platform_id, c.cell >> 40 << 40 AS tile,
           c.x >> 3 AS x, c.y >> 3 AS y,
           c.places, c.active_places, c.trashed_places, c.active_images, c.trashed_images, c.active_bytes, c.trashed_bytes, c.active_at, c.active_id, c.active_cell, row_number() OVER (
             PARTITION BY c.user_id, c.cell >> 40
             ORDER BY c.active_at DESC NULLS LAST, c.active_id DESC) AS nth
    FROM map_cells c WHERE c.zoom = 9 AND (who IS NULL OR c.user_id = ANY (who))
  ) AS numbered
  GROUP BY user_id, platform_id, tile, x, y;
  INSERT INTO map_cells (user_id, platform_id, zoom, cell, x, y, places, active_places, trashed_places, active_images, trashed_images, active_bytes, trashed_bytes,
                         active_at, active_id, active_cell)
  SELECT user_id, platform_id, 0, tile, x, y, sum(places), sum(active_places), sum(trashed_places), sum(active_images), sum(trashed_images), sum(active_bytes), sum(trashed_bytes),
         max(active_at) FILTER (WHERE nth = 1), (array_agg(active_id) FILTER (WHERE nth = 1))[1],
         max(active_cell) FILTER (WHERE nth = 1)
  FROM (
    SELECT c.user_id, c.platform_id, c.cell >> 52 << 52 AS tile,
           c.x >> 6 AS x, c.y >> 6 AS y,
           c.places, c.active_places, c.trashed_places, c.active_images, c.trashed_images, c.active_bytes, c.trashed_bytes, c.active_at, c.active_id, c.active_cell, row_number() OVER (
             PARTITION BY c.user_id, c.cell >> 52
             ORDER BY c.active_at DESC NULLS LAST, c.active_id DESC) AS nth
    FROM map_cells c WHERE c.zoom = 6 AND (who IS NULL OR c.user_id = ANY (who))
  ) AS numbered
  GROUP BY user_id, platform_id, tile, x, y;
END $function$;
COMMENT ON FUNCTION fill_map_cells IS
  'makes the cells of users that have none from their places; null: of all users';

CREATE FUNCTION rebuild_map(who uuid) RETURNS void
LANGUAGE plpgsql SET jit = off AS $function$
BEGIN
  UPDATE users SET map_version = map_version + 1 WHERE id = who;
  DELETE FROM places WHERE user_id = who;
  DELETE FROM map_cells WHERE user_id = who;
  INSERT INTO places
  SELECT user_id, map_cell(location), location, count(*) FILTER (WHERE deleted_at IS NULL),
         count(*) FILTER (WHERE deleted_at IS NOT NULL), coalesce(sum(bytes) FILTER (WHERE deleted_at IS NULL), 0),
         coalesce(sum(bytes) FILTER (WHERE deleted_at IS NOT NULL), 0),
         (array_agg(created_at ORDER BY created_at DESC, id DESC) FILTER (WHERE deleted_at IS NULL))[1], (array_agg(id ORDER BY created_at DESC, id DESC) FILTER (WHERE deleted_at IS NULL))[1],
         (array_agg(created_at ORDER BY created_at DESC, id DESC) FILTER (WHERE deleted_at IS NOT NULL))[1], (array_agg(id ORDER BY created_at DESC, id DESC) FILTER (WHERE deleted_at IS NOT NULL))[1], max(uploaded_at)
  FROM images WHERE user_id = who AND location IS NOT NULL
  GROUP BY user_id, location;
  PERFORM fill_map_cells(ARRAY[who]);
END $function$;

CREATE FUNCTION note_platform_cell() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  INSERT INTO platform_cell_changes (platform_id, cell, active_images, active_at, active_id)
  VALUES (coalesce(NEW.platform_id, OLD.platform_id),
          coalesce(NEW.active_cell, NEW.cell, OLD.cell),
          coalesce(NEW.active_images, 0) - coalesce(OLD.active_images, 0),
          NEW.active_at, NEW.active_id);
  RETURN NULL;
END $function$;

CREATE TRIGGER platform_cell_inserted AFTER INSERT ON map_cells FOR EACH ROW
  WHEN (NEW.zoom = 24 AND NEW.active_images <> 0)
  EXECUTE FUNCTION note_platform_cell();
CREATE TRIGGER platform_cell_updated AFTER UPDATE ON map_cells FOR EACH ROW
  WHEN (NEW.zoom = 24
        -- Not as rows, which a restored dump would write in other parentheses.
        AND (OLD.active_images IS DISTINCT FROM NEW.active_images
          OR OLD.active_at IS DISTINCT FROM NEW.active_at
          OR OLD.active_id IS DISTINCT FROM NEW.active_id
          OR OLD.active_cell IS DISTINCT FROM NEW.active_cell))
  EXECUTE FUNCTION note_platform_cell();
CREATE TRIGGER platform_cell_deleted AFTER DELETE ON map_cells FOR EACH ROW
  WHEN (OLD.zoom = 24 AND OLD.active_images <> 0)
  EXECUTE FUNCTION note_platform_cell();

CREATE FUNCTION sum_platform_cells(most integer) RETURNS integer
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $function$
DECLARE
  owners uuid[];
  tiles bigint[];
  changes integer;
BEGIN
  IF current_setting('transaction_isolation') = 'read committed' THEN
    RAISE 'Changes that come meanwhile would be counted twice.';
  END IF;
  WITH change AS (
    SELECT DISTINCT h.platform_id, h.cell >> 4 << 4 AS tile
    FROM (SELECT platform_id, cell FROM platform_cell_changes LIMIT most) AS h
  ),
  counted AS (
    DELETE FROM platform_cell_changes h USING change c
    WHERE h.platform_id = c.platform_id AND h.cell >= c.tile AND h.cell < c.tile + 16
    RETURNING 1
  )
  SELECT array_agg(platform_id), array_agg(tile), (SELECT count(*) FROM counted)
  INTO owners, tiles, changes FROM change;

  WITH fresh AS MATERIALIZED (
    SELECT t.owner, t.tile, s.*
    FROM unnest(owners, tiles) AS t (owner, tile)
    LEFT JOIN LATERAL (
      SELECT sum(k.active_images) OVER () AS active_images, k.active_at, k.active_id,
             k.active_cell
      FROM map_cells k
      WHERE k.platform_id = t.owner AND k.zoom = 24 AND k.cell = t.tile
        AND k.active_images > 0
      ORDER BY k.active_at DESC NULLS LAST, k.active_id DESC LIMIT 1
    ) AS s ON true
  ),
  emptied AS (
    DELETE FROM platform_cells c USING fresh f
    WHERE c.platform_id = f.owner AND c.zoom = 24 AND c.cell = f.tile
      AND f.active_images IS NULL
  )
  INSERT INTO platform_cells AS c
    (platform_id, zoom, cell, x, y, active_images, active_at, active_id, active_cell)
  SELECT owner, 24, tile, gather_bits(tile) >> 2,
         gather_bits(tile >> 1) >> 2, active_images, active_at, active_id, active_cell
  FROM fresh WHERE active_images > 0
  ON CONFLICT (platform_id, zoom, cell) DO UPDATE
  SET active_images = excluded.active_images, active_at = excluded.active_at,
      active_id = excluded.active_id, active_cell = excluded.active_cell;

  SELECT array_agg(t.owner), array_agg(t.tile) INTO owners, tiles
  FROM (SELECT DISTINCT u.owner, u.tile >> 10 << 10 FROM unnest(owners, tiles) AS u (owner, tile))
    AS t (owner, tile);

  WITH fresh AS MATERIALIZED (
    SELECT t.owner, t.tile, s.*
    FROM unnest(owners, tiles) AS t (owner, tile)
    LEFT JOIN LATERAL (
      SELECT sum(k.active_images) OVER () AS active_images, k.active_at, k.active_id,
             k.active_cell
      FROM platform_cells k
      WHERE k.platform_id = t.owner AND k.zoom = 24 AND k.cell >= t.tile
        AND k.cell < t.tile + 1024
      ORDER BY k.active_at DESC NULLS LAST, k.active_id DESC LIMIT 1
    ) AS s ON true
  ),
  emptied AS (
    DELETE FROM platform_cells c USING fresh f
    WHERE c.platform_id = f.owner AND c.zoom = 21 AND c.cell = f.tile
      AND f.active_images IS NULL
  )
  INSERT INTO platform_cells AS c
    (platform_id, zoom, cell, x, y, active_images, active_at, active_id, active_cell)
  SELECT owner, 21, tile, gather_bits(tile) >> 5,
         gather_bits(tile >> 1) >> 5, active_images, active_at, active_id, active_cell
  FROM fresh WHERE active_images > 0
  ON CONFLICT (platform_id, zoom, cell) DO UPDATE
  SET active_images = excluded.active_images, active_at = excluded.active_at,
      active_id = excluded.active_id, active_cell = excluded.active_cell;

  SELECT array_agg(t.owner), array_agg(t.tile) INTO owners, tiles
  FROM (SELECT DISTINCT u.owner, u.tile >> 16 << 16 FROM unnest(owners, tiles) AS u (owner, tile))
    AS t (owner, tile);

  WITH fresh AS MATERIALIZED (
    SELECT t.owner, t.tile, s.*
    FROM unnest(owners, tiles) AS t (owner, tile)
    LEFT JOIN LATERAL (
      SELECT sum(k.active_images) OVER () AS active_images, k.active_at, k.active_id,
             k.active_cell
      FROM platform_cells k
      WHERE k.platform_id = t.owner AND k.zoom = 21 AND k.cell >= t.tile
        AND k.cell < t.tile + 65536
      ORDER BY k.active_at DESC NULLS LAST, k.active_id DESC LIMIT 1
    ) AS s ON true
  ),
  emptied AS (
    DELETE FROM platform_cells c USING fresh f
    WHERE c.platform_id = f.owner AND c.zoom = 18 AND c.cell = f.tile
      AND f.active_images IS NULL
  )
  INSERT INTO platform_cells AS c
    (platform_id, zoom, cell, x, y, active_images, active_at, active_id, active_cell)
  SELECT owner, 18, tile, gather_bits(tile) >> 8,
         gather_bits(tile >> 1) >> 8, active_images, active_at, active_id, active_cell
  FROM fresh WHERE active_images > 0
  ON CONFLICT (platform_id, zoom, cell) DO UPDATE
  SET active_images = excluded.active_images, active_at = excluded.active_at,
      active_id = excluded.active_id, active_cell = excluded.active_cell;

  SELECT array_agg(t.owner), array_agg(t.tile) INTO owners, tiles
  FROM (SELECT DISTINCT u.owner, u.tile >> 22 << 22 FROM unnest(owners, tiles) AS u (owner, tile))
    AS t (owner, tile);

  WITH fresh AS MATERIALIZED (
    SELECT t.owner, t.tile, s.*
    FROM unnest(owners, tiles) AS t (owner, tile)
    LEFT JOIN LATERAL (
      SELECT sum(k.active_images) OVER () AS active_images, k.active_at, k.active_id,
             k.active_cell
      FROM platform_cells k
      WHERE k.platform_id = t.owner AND k.zoom = 18 AND k.cell >= t.tile
        AND k.cell < t.tile + 4194304
      ORDER BY k.active_at DESC NULLS LAST, k.active_id DESC LIMIT 1
    ) AS s ON true
  ),
  emptied AS (
    DELETE FROM platform_cells c USING fresh f
    WHERE c.platform_id = f.owner AND c.zoom = 15 AND c.cell = f.tile
      AND f.active_images IS NULL
  )
  INSERT INTO platform_cells AS c
    (platform_id, zoom, cell, x, y, active_images, active_at, active_id, active_cell)
  SELECT owner, 15, tile, gather_bits(tile) >> 11,
         gather_bits(tile >> 1) >> 11, active_images, active_at, active_id, active_cell
  FROM fresh WHERE active_images > 0
  ON CONFLICT (platform_id, zoom, cell) DO UPDATE
  SET active_images = excluded.active_images, active_at = excluded.active_at,
      active_id = excluded.active_id, active_cell = excluded.active_cell;

  SELECT array_agg(t.owner), array_agg(t.tile) INTO owners, tiles
  FROM (SELECT DISTINCT u.owner, u.tile >> 28 << 28 FROM unnest(owners, tiles) AS u (owner, tile))
    AS t (owner, tile);

  WITH fresh AS MATERIALIZED (
    SELECT t.owner, t.tile, s.*
    FROM unnest(owners, tiles) AS t (owner, tile)
    LEFT JOIN LATERAL (
      SELECT sum(k.active_images) OVER () AS active_images, k.active_at, k.active_id,
             k.active_cell
      FROM platform_cells k
      WHERE k.platform_id = t.owner AND k.zoom = 15 AND k.cell >= t.tile
        AND k.cell < t.tile + 268435456
      ORDER BY k.active_at DESC NULLS LAST, k.active_id DESC LIMIT 1
    ) AS s ON true
  ),
  emptied AS (
    DELETE FROM platform_cells c USING fresh f
    WHERE c.platform_id = f.owner AND c.zoom = 12 AND c.cell = f.tile
      AND f.active_images IS NULL
  )
  INSERT INTO platform_cells AS c
    (platform_id, zoom, cell, x, y, active_images, active_at, active_id, active_cell)
  SELECT owner, 12, tile, gather_bits(tile) >> 14,
         gather_bits(tile >> 1) >> 14, active_images, active_at, active_id, active_cell
  FROM fresh WHERE active_images > 0
  ON CONFLICT (platform_id, zoom, cell) DO UPDATE
  SET active_images = excluded.active_images, active_at = excluded.active_at,
      active_id = excluded.active_id, active_cell = excluded.active_cell;

  SELECT array_agg(t.owner), array_agg(t.tile) INTO owners, tiles
  FROM (SELECT DISTINCT u.owner, u.tile >> 34 << 34 FROM unnest(owners, tiles) AS u (owner, tile))
    AS t (owner, tile);

  WITH fresh AS MATERIALIZED (
    SELECT t.owner, t.tile, s.*
    FROM unnest(owners, tiles) AS t (owner, tile)
    LEFT JOIN LATERAL (
      SELECT sum(k.active_images) OVER () AS active_images, k.active_at, k.active_id,
             k.active_cell
      FROM platform_cells k
      WHERE k.platform_id = t.owner AND k.zoom = 12 AND k.cell >= t.tile
        AND k.cell < t.tile + 17179869184
      ORDER BY k.active_at DESC NULLS LAST, k.active_id DESC LIMIT 1
    ) AS s ON true
  ),
  emptied AS (
    DELETE FROM platform_cells c USING fresh f
    WHERE c.platform_id = f.owner AND c.zoom = 9 AND c.cell = f.tile
      AND f.active_images IS NULL
  )
  INSERT INTO platform_cells AS c
    (platform_id, zoom, cell, x, y, active_images, active_at, active_id, active_cell)
  SELECT owner, 9, tile, gather_bits(tile) >> 17,
         gather_bits(tile >> 1) >> 17, active_images, active_at, active_id, active_cell
  FROM fresh WHERE active_images > 0
  ON CONFLICT (platform_id, zoom, cell) DO UPDATE
  SET active_images = excluded.active_images, active_at = excluded.active_at,
      active_id = excluded.active_id, active_cell = excluded.active_cell;

  SELECT array_agg(t.owner), array_agg(t.tile) INTO owners, tiles
  FROM (SELECT DISTINCT u.owner, u.tile >> 40 << 40 FROM unnest(owners, tiles) AS u (owner, tile))
    AS t (owner, tile);

  WITH fresh AS MATERIALIZED (
    SELECT t.owner, t.tile, s.*
    FROM unnest(owners, tiles) AS t (owner, tile)
    LEFT JOIN LATERAL (
      SELECT sum(k.active_images) OVER () AS active_images, k.active_at, k.active_id,
             k.active_cell
      FROM platform_cells k
      WHERE k.platform_id = t.owner AND k.zoom = 9 AND k.cell >= t.tile
        AND k.cell < t.tile + 1099511627776
      ORDER BY k.active_at DESC NULLS LAST, k.active_id DESC LIMIT 1
    ) AS s ON true
  ),
  emptied AS (
    DELETE FROM platform_cells c USING fresh f
    WHERE c.platform_id = f.owner AND c.zoom = 6 AND c.cell = f.tile
      AND f.active_images IS NULL
  )
  INSERT INTO platform_cells AS c
    (platform_id, zoom, cell, x, y, active_images, active_at, active_id, active_cell)
  SELECT owner, 6, tile, gather_bits(tile) >> 20,
         gather_bits(tile >> 1) >> 20, active_images, active_at, active_id, active_cell
  FROM fresh WHERE active_images > 0
  ON CONFLICT (platform_id, zoom, cell) DO UPDATE
  SET active_images = excluded.active_images, active_at = excluded.active_at,
      active_id = excluded.active_id, active_cell = excluded.active_cell;

  SELECT array_agg(t.owner), array_agg(t.tile) INTO owners, tiles
  FROM (SELECT DISTINCT u.owner, u.tile >> 52 << 52 FROM unnest(owners, tiles) AS u (owner, tile))
    AS t (owner, tile);

  WITH fresh AS MATERIALIZED (
    SELECT t.owner, t.tile, s.*
    FROM unnest(owners, tiles) AS t (owner, tile)
    LEFT JOIN LATERAL (
      SELECT sum(k.active_images) OVER () AS active_images, k.active_at, k.active_id,
             k.active_cell
      FROM platform_cells k
      WHERE k.platform_id = t.owner AND k.zoom = 6 AND k.cell >= t.tile
        AND k.cell < t.tile + 4503599627370496
      ORDER BY k.active_at DESC NULLS LAST, k.active_id DESC LIMIT 1
    ) AS s ON true
  ),
  emptied AS (
    DELETE FROM platform_cells c USING fresh f
    WHERE c.platform_id = f.owner AND c.zoom = 0 AND c.cell = f.tile
      AND f.active_images IS NULL
  )
  INSERT INTO platform_cells AS c
    (platform_id, zoom, cell, x, y, active_images, active_at, active_id, active_cell)
  SELECT owner, 0, tile, gather_bits(tile) >> 26,
         gather_bits(tile >> 1) >> 26, active_images, active_at, active_id, active_cell
  FROM fresh WHERE active_images > 0
  ON CONFLICT (platform_id, zoom, cell) DO UPDATE
  SET active_images = excluded.active_images, active_at = excluded.active_at,
      active_id = excluded.active_id, active_cell = excluded.active_cell;

  RETURN changes;
END $function$;
COMMENT ON FUNCTION sum_platform_cells IS
  'adds changes to the cells of platforms, about so many; returns how many. One at a time, in a '
  'transaction that sees one moment';
