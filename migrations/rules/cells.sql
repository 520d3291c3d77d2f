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

-- A zero before each bit: of the x and the y of a tile, these make its cell, as in map_cell. (The factors are
-- masks of 16, 8, 4, 2 and 1 bits out of twice as many.)
CREATE FUNCTION spread_bits(bits bigint) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $function$
BEGIN
  bits := (bits | (bits << 16)) & 281470681808895;
  bits := (bits | (bits << 8)) & 71777214294589695;
  bits := (bits | (bits << 4)) & 1085102592571150095;
  bits := (bits | (bits << 2)) & 3689348814741910323;
  RETURN (bits | (bits << 1)) & 6148914691236517205;
END $function$;

-- The bits of y and x in turn, y first: every tile z/x/y is one range of cells.
CREATE FUNCTION map_cell(location geography) RETURNS bigint
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN spread_bits(map_x(location)) | (spread_bits(map_y(location)) << 1);

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

-- Makes the cells of users that have none from their places; null: of all users. Numbered by age in the cells
-- that they add up to: the newest image of each is that of number 1.
CREATE FUNCTION fill_map_cells(who uuid[]) RETURNS void
LANGUAGE plpgsql SET jit = off AS $function$
DECLARE
  finer integer := 24;
  level integer;
BEGIN
  INSERT INTO map_cells (user_id, platform_id, zoom, cell, x, y, places, active_places, trashed_places,
                         active_images, trashed_images, active_bytes, trashed_bytes,
                         active_at, active_id, active_cell)
  SELECT user_id, platform_id, 24, tile, x, y, count(*), count(active_id), count(trashed_id),
         sum(active_images), sum(trashed_images), sum(active_bytes), sum(trashed_bytes),
         max(active_at) FILTER (WHERE nth = 1), (array_agg(active_id) FILTER (WHERE nth = 1))[1],
         max(cell) FILTER (WHERE nth = 1 AND active_id IS NOT NULL)
  FROM (
    SELECT p.*, u.platform_id, p.cell >> 4 << 4 AS tile, map_x(p.location) >> 2 AS x,
           map_y(p.location) >> 2 AS y, row_number() OVER (
             PARTITION BY p.user_id, p.cell >> 4
             ORDER BY p.active_at DESC NULLS LAST, p.active_id DESC) AS nth
    FROM places p JOIN users u ON u.id = p.user_id WHERE who IS NULL OR p.user_id = ANY (who)
  ) AS numbered
  GROUP BY user_id, platform_id, tile, x, y;
  FOREACH level IN ARRAY ARRAY[21, 18, 15, 12, 9, 6, 0] LOOP
    INSERT INTO map_cells (user_id, platform_id, zoom, cell, x, y, places, active_places, trashed_places,
                           active_images, trashed_images, active_bytes, trashed_bytes,
                           active_at, active_id, active_cell)
    SELECT user_id, platform_id, level, tile, tile_x, tile_y, sum(places), sum(active_places),
           sum(trashed_places), sum(active_images), sum(trashed_images), sum(active_bytes),
           sum(trashed_bytes), max(active_at) FILTER (WHERE nth = 1),
           (array_agg(active_id) FILTER (WHERE nth = 1))[1], max(active_cell) FILTER (WHERE nth = 1)
    FROM (
      SELECT c.*, c.cell >> (52 - 2 * level) << (52 - 2 * level) AS tile,
             c.x >> (finer - level) AS tile_x, c.y >> (finer - level) AS tile_y, row_number() OVER (
               PARTITION BY c.user_id, c.cell >> (52 - 2 * level)
               ORDER BY c.active_at DESC NULLS LAST, c.active_id DESC) AS nth
      FROM map_cells c WHERE c.zoom = finer AND (who IS NULL OR c.user_id = ANY (who))
    ) AS numbered
    GROUP BY user_id, platform_id, tile, tile_x, tile_y;
    finer := level;
  END LOOP;
END $function$;

-- Everything that is kept of the map of a user, from the images: a lock on the user keeps others away, like a
-- change of an image does.
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
  IF (OLD.active_images, OLD.active_at, OLD.active_id, OLD.active_cell) IS DISTINCT FROM
     (NEW.active_images, NEW.active_at, NEW.active_id, NEW.active_cell)
     AND (OLD.active_images <> 0 OR NEW.active_images <> 0) THEN
    INSERT INTO platform_cell_changes (platform_id, cell, active_images, active_at, active_id)
    VALUES (coalesce(NEW.platform_id, OLD.platform_id),
            coalesce(NEW.active_cell, NEW.cell, OLD.cell),
            coalesce(NEW.active_images, 0) - coalesce(OLD.active_images, 0),
            NEW.active_at, NEW.active_id);
  END IF;
  RETURN NULL;
END $function$;

CREATE TRIGGER note_platform_cell AFTER INSERT OR UPDATE ON map_cells
  FOR EACH ROW WHEN (NEW.zoom = 24) EXECUTE FUNCTION note_platform_cell();
CREATE TRIGGER note_deleted_platform_cell AFTER DELETE ON map_cells
  FOR EACH ROW WHEN (OLD.zoom = 24) EXECUTE FUNCTION note_platform_cell();

-- Adds changes to the cells of platforms, about so many; returns how many. One at a time, in a transaction that
-- sees one moment. A sum is made anew, not added to, so that it is right whatever was there before.
CREATE FUNCTION sum_platform_cells(most integer) RETURNS integer
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $function$
DECLARE
  owners uuid[];
  tiles bigint[];
  changes integer;
  finer integer;
  level integer;
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
  FOREACH level IN ARRAY ARRAY[24, 21, 18, 15, 12, 9, 6, 0] LOOP
    IF finer IS NOT NULL THEN
      SELECT array_agg(t.owner), array_agg(t.tile) INTO owners, tiles
      FROM (SELECT DISTINCT u.owner, u.tile >> (52 - 2 * level) << (52 - 2 * level)
            FROM unnest(owners, tiles) AS u (owner, tile)) AS t (owner, tile);
    END IF;
    WITH fresh AS MATERIALIZED (
      SELECT t.owner, t.tile, s.*
      FROM unnest(owners, tiles) AS t (owner, tile)
      LEFT JOIN LATERAL (
        SELECT sum(k.active_images) OVER () AS active_images, k.active_at, k.active_id, k.active_cell
        FROM (
          SELECT m.active_images, m.active_at, m.active_id, m.active_cell FROM map_cells m
          WHERE finer IS NULL AND m.platform_id = t.owner AND m.zoom = 24 AND m.cell = t.tile
            AND m.active_images > 0
          UNION ALL
          SELECT c.active_images, c.active_at, c.active_id, c.active_cell FROM platform_cells c
          WHERE finer IS NOT NULL AND c.platform_id = t.owner AND c.zoom = finer
            AND c.cell >= t.tile AND c.cell < t.tile + (1::bigint << (52 - 2 * level))
        ) AS k
        ORDER BY k.active_at DESC NULLS LAST, k.active_id DESC LIMIT 1
      ) AS s ON true
    ),
    emptied AS (
      DELETE FROM platform_cells c USING fresh f
      WHERE c.platform_id = f.owner AND c.zoom = level AND c.cell = f.tile AND f.active_images IS NULL
    )
    INSERT INTO platform_cells AS c
      (platform_id, zoom, cell, x, y, active_images, active_at, active_id, active_cell)
    SELECT owner, level, tile, gather_bits(tile) >> (26 - level), gather_bits(tile >> 1) >> (26 - level),
           active_images, active_at, active_id, active_cell
    FROM fresh WHERE active_images > 0
    ON CONFLICT (platform_id, zoom, cell) DO UPDATE
    SET active_images = excluded.active_images, active_at = excluded.active_at,
        active_id = excluded.active_id, active_cell = excluded.active_cell;
    finer := level;
  END LOOP;
  RETURN changes;
END $function$;
