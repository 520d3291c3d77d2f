-- How changes of images change the sums of their places and of the cells that those are in (docs/adr/0013).

-- No sort: only one index has this order, and a plan that reads all of the user's images instead,
-- made while there were few, would last as long as the connection.
CREATE FUNCTION newest_at_place(who uuid, spot geography, trashed boolean, latest timestamptz)
RETURNS TABLE (at timestamptz, id uuid)
LANGUAGE plpgsql STABLE STRICT ROWS 1 SET enable_sort = off SET enable_seqscan = off
  SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $function$
BEGIN
  RETURN QUERY
    SELECT i.created_at, i.id FROM images i
    WHERE i.user_id = who AND i.location = spot AND (i.deleted_at IS NOT NULL) = trashed
      AND i.created_at <= latest
    ORDER BY i.location, i.created_at DESC, i.id DESC LIMIT 1;
END $function$;

-- Looks up the newest images of cells of one zoom: in the cells of the next one, which are right by
-- then, or in the places. No more than 46,225 places fit into a cell of zoom 24, with 7 decimals.
CREATE FUNCTION renew_newest(level integer, owners uuid[], tiles bigint[]) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $function$
DECLARE
  zooms CONSTANT integer[] := ARRAY[0, 6, 9, 12, 15, 18, 21, 24];
  finer CONSTANT integer := zooms[array_position(zooms, level) + 1];
  size CONSTANT bigint := 1::bigint << (52 - 2 * level);
BEGIN
  IF finer IS NULL THEN
    UPDATE map_cells c
    SET active_at = n.active_at, active_id = n.active_id, active_cell = n.active_cell
    FROM unnest(owners, tiles) AS t (owner, tile)
    CROSS JOIN LATERAL (
      SELECT * FROM (
        SELECT k.active_at, k.active_id, k.cell AS active_cell FROM places k
        WHERE k.user_id = t.owner  AND k.cell >= t.tile AND k.cell < t.tile + size
          AND k.active_id IS NOT NULL
        OFFSET 0
      ) AS k
      ORDER BY k.active_at DESC, k.active_id DESC LIMIT 1
    ) AS n
    WHERE c.user_id = t.owner AND c.zoom = level AND c.cell = t.tile;
  ELSE
    UPDATE map_cells c
    SET active_at = n.active_at, active_id = n.active_id, active_cell = n.active_cell
    FROM unnest(owners, tiles) AS t (owner, tile)
    CROSS JOIN LATERAL (
      SELECT * FROM (
        SELECT k.active_at, k.active_id, k.active_cell AS active_cell FROM map_cells k
        WHERE k.user_id = t.owner AND k.zoom = finer AND k.cell >= t.tile AND k.cell < t.tile + size
          AND k.active_id IS NOT NULL
        OFFSET 0
      ) AS k
      ORDER BY k.active_at DESC, k.active_id DESC LIMIT 1
    ) AS n
    WHERE c.user_id = t.owner AND c.zoom = level AND c.cell = t.tile;
  END IF;
END $function$;

-- Counts an image that has left this place, or come to it, or both when it only changed there.
CREATE FUNCTION count_at_place(spot geography, gone images, come images) RETURNS void
LANGUAGE plpgsql AS $function$
DECLARE
  who CONSTANT uuid := coalesce(come.user_id, gone.user_id);
  platform CONSTANT uuid := coalesce(come.platform_id, gone.platform_id);
  at_cell CONSTANT bigint := map_cell(spot);
  at_x CONSTANT integer := gather_bits(at_cell);
  at_y CONSTANT integer := gather_bits(at_cell >> 1);
  gone_active CONSTANT integer := (gone.id IS NOT NULL AND gone.deleted_at IS NULL)::integer;
  gone_trashed CONSTANT integer := (gone.deleted_at IS NOT NULL)::integer;
  come_active CONSTANT integer := (come.id IS NOT NULL AND come.deleted_at IS NULL)::integer;
  come_trashed CONSTANT integer := (come.deleted_at IS NOT NULL)::integer;
  active CONSTANT integer := come_active - gone_active;
  trashed CONSTANT integer := come_trashed - gone_trashed;
  more_active CONSTANT bigint :=
    come_active * coalesce(come.bytes, 0) - gone_active * coalesce(gone.bytes, 0);
  more_trashed CONSTANT bigint :=
    come_trashed * coalesce(come.bytes, 0) - gone_trashed * coalesce(gone.bytes, 0);
  -- Of the same time as before, it stays as new as it was.
  lost CONSTANT uuid := CASE WHEN gone_active = 1
    AND (come_active = 0 OR gone.created_at <> come.created_at) THEN gone.id END;
  zooms CONSTANT integer[] := ARRAY[24, 21, 18, 15, 12, 9, 6, 0];
  come_at CONSTANT timestamptz := CASE come_active WHEN 1 THEN come.created_at END;
  come_id CONSTANT uuid := CASE come_active WHEN 1 THEN come.id END;
  old places;
  now places;
  stale integer[];
  level integer;
BEGIN
  SELECT * INTO old FROM places
  WHERE user_id = who AND cell = at_cell AND location = spot;
  now := old;
  now.active_images := coalesce(old.active_images, 0) + active;
  now.trashed_images := coalesce(old.trashed_images, 0) + trashed;
  now.active_bytes := coalesce(old.active_bytes, 0) + more_active;
  now.trashed_bytes := coalesce(old.trashed_bytes, 0) + more_trashed;
  now.uploaded_at := greatest(old.uploaded_at, come.uploaded_at);
  IF come_active = 1 AND (old.active_id IS NULL
                       OR (come.created_at, come.id) > (old.active_at, old.active_id)) THEN
    now.active_at := come.created_at;
    now.active_id := come.id;
  ELSIF gone.id = old.active_id THEN
    now.active_at := NULL;
    now.active_id := NULL;
    IF now.active_images > 0 THEN
      SELECT at, id INTO now.active_at, now.active_id
      FROM newest_at_place(who, spot, false, old.active_at);
    END IF;
  END IF;
  IF come_trashed = 1 AND (old.trashed_id IS NULL
                       OR (come.created_at, come.id) > (old.trashed_at, old.trashed_id)) THEN
    now.trashed_at := come.created_at;
    now.trashed_id := come.id;
  ELSIF gone.id = old.trashed_id THEN
    now.trashed_at := NULL;
    now.trashed_id := NULL;
    IF now.trashed_images > 0 THEN
      SELECT at, id INTO now.trashed_at, now.trashed_id
      FROM newest_at_place(who, spot, true, old.trashed_at);
    END IF;
  END IF;

  IF old.user_id IS NULL THEN
    INSERT INTO places
    VALUES (who, at_cell, spot, now.active_images, now.trashed_images, now.active_bytes,
            now.trashed_bytes, now.active_at, now.active_id, now.trashed_at, now.trashed_id,
            now.uploaded_at);
  ELSIF now.active_images + now.trashed_images = 0 THEN
    DELETE FROM places WHERE user_id = who AND cell = at_cell AND location = spot;
  ELSE
    UPDATE places
    SET active_images = now.active_images, trashed_images = now.trashed_images,
        active_bytes = now.active_bytes, trashed_bytes = now.trashed_bytes,
        active_at = now.active_at, active_id = now.active_id,
        trashed_at = now.trashed_at, trashed_id = now.trashed_id, uploaded_at = now.uploaded_at
    WHERE user_id = who AND cell = at_cell AND location = spot;
  END IF;

  IF (active, trashed, more_active, more_trashed) = (0, 0, 0, 0) AND lost IS NULL THEN RETURN; END IF;
  WITH counted AS (
    INSERT INTO map_cells AS c (user_id, platform_id, zoom, cell, x, y, places, active_places,
                                trashed_places, active_images, trashed_images, active_bytes,
                                trashed_bytes, active_at, active_id, active_cell)
    SELECT who, platform, zoom, at_cell >> (52 - 2 * zoom) << (52 - 2 * zoom), at_x >> (26 - zoom),
           at_y >> (26 - zoom),
           (now.active_images + now.trashed_images > 0)::integer - (old.user_id IS NOT NULL)::integer,
           (now.active_images > 0)::integer - (coalesce(old.active_images, 0) > 0)::integer,
           (now.trashed_images > 0)::integer - (coalesce(old.trashed_images, 0) > 0)::integer,
           active, trashed, more_active, more_trashed, come_at, come_id,
           CASE WHEN come_id IS NOT NULL THEN at_cell END
    FROM unnest(zooms) AS zoom
    ON CONFLICT (user_id, zoom, cell) DO UPDATE
    SET places = c.places + excluded.places,
        active_places = c.active_places + excluded.active_places,
        trashed_places = c.trashed_places + excluded.trashed_places,
        active_images = c.active_images + excluded.active_images,
        trashed_images = c.trashed_images + excluded.trashed_images,
        active_bytes = c.active_bytes + excluded.active_bytes,
        trashed_bytes = c.trashed_bytes + excluded.trashed_bytes,
        (active_at, active_id, active_cell) = (
          SELECT * FROM (VALUES
            (c.active_at, c.active_id, c.active_cell),
            (excluded.active_at, excluded.active_id, excluded.active_cell)) AS n (at, id, spot)
          WHERE n.id IS NOT NULL AND (lost IS NULL OR c.active_id IS DISTINCT FROM lost)
          ORDER BY n.at DESC, n.id DESC LIMIT 1)
    RETURNING c.zoom, c.active_id, c.active_images
  )
  SELECT array_agg(c.zoom ORDER BY c.zoom DESC) INTO stale FROM counted c
  WHERE c.active_images > 0 AND c.active_id IS NULL;
  FOREACH level IN ARRAY coalesce(stale, '{}') LOOP
    PERFORM renew_newest(level, ARRAY[who], ARRAY[at_cell >> (52 - 2 * level) << (52 - 2 * level)]);
  END LOOP;
  IF now.active_images + now.trashed_images = 0 THEN
    DELETE FROM map_cells c USING unnest(zooms) AS z (zoom)
    WHERE c.user_id = who AND c.zoom = z.zoom AND c.places = 0
      AND c.cell = at_cell >> (52 - 2 * z.zoom) << (52 - 2 * z.zoom);
  END IF;
END $function$;

-- Counts many images that leave places and come to others. What is at the same place and of the same time as
-- before stays as new as it was.
CREATE FUNCTION count_places(facts image_fact[]) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $function$
DECLARE
  zooms CONSTANT integer[] := ARRAY[24, 21, 18, 15, 12, 9, 6, 0];
  empty_cells map_cells[];
  stale_zooms integer[];
  stale_owners uuid[];
  stale_tiles bigint[];
  level integer;
BEGIN
  PERFORM FROM unnest(facts) WHERE location IS NOT NULL
  GROUP BY id, user_id, location, is_active, created_at
  HAVING (sum(sign), sum(active_bytes), sum(trashed_bytes)) <> (0, 0, 0);
  IF NOT FOUND THEN
    RETURN;
  END IF;
  WITH change AS (
    SELECT id, user_id, location, is_active, created_at, max(uploaded_at) AS uploaded_at,
           sum(sign) AS sign, sum(active) AS active, sum(trashed) AS trashed,
           sum(active_bytes) AS active_bytes, sum(trashed_bytes) AS trashed_bytes
    FROM unnest(facts) AS f
    WHERE location IS NOT NULL AND EXISTS (SELECT FROM users u WHERE u.id = f.user_id)
    GROUP BY id, user_id, location, is_active, created_at
    HAVING (sum(sign), sum(active_bytes), sum(trashed_bytes)) <> (0, 0, 0)
  ),
  moved AS MATERIALIZED (
    SELECT user_id, location, map_cell(location) AS cell, max(uploaded_at) AS uploaded_at,
           sum(active) AS active_images, sum(active_bytes) AS active_bytes,
           max(created_at) FILTER (WHERE active > 0) AS come_active_at,
           (array_agg(id ORDER BY created_at DESC, id DESC) FILTER (WHERE active > 0))[1] AS come_active_id,
           max(created_at) FILTER (WHERE active < 0) AS gone_active_at,
           (array_agg(id ORDER BY created_at DESC, id DESC) FILTER (WHERE active < 0))[1] AS gone_active_id,
           sum(trashed) AS trashed_images, sum(trashed_bytes) AS trashed_bytes,
           max(created_at) FILTER (WHERE trashed > 0) AS come_trashed_at,
           (array_agg(id ORDER BY created_at DESC, id DESC) FILTER (WHERE trashed > 0))[1] AS come_trashed_id,
           max(created_at) FILTER (WHERE trashed < 0) AS gone_trashed_at,
           (array_agg(id ORDER BY created_at DESC, id DESC) FILTER (WHERE trashed < 0))[1] AS gone_trashed_id
    FROM change GROUP BY user_id, location
  ),
  counted AS MATERIALIZED (
    SELECT m.user_id, m.cell, m.location, m.gone_active_at, m.gone_active_id,
           greatest(p.uploaded_at, m.uploaded_at) AS uploaded_at,
           coalesce(p.active_images, 0) AS old_active_images, m.active_images AS more_active_images,
           coalesce(p.active_images, 0) + m.active_images AS active_images,
           coalesce(p.active_bytes, 0) + m.active_bytes AS active_bytes, m.active_bytes AS more_active_bytes,
           CASE WHEN p.active_images + m.active_images = 0 THEN 0
                WHEN p.active_id = m.gone_active_id THEN 1
                WHEN p.active_id IS NULL THEN 2
                WHEN (m.come_active_at, m.come_active_id) > (p.active_at, p.active_id) THEN 2 ELSE 3 END AS active_case,
           p.active_at AS old_active_at, p.active_id AS old_active_id, m.come_active_at, m.come_active_id,
           coalesce(p.trashed_images, 0) AS old_trashed_images, m.trashed_images AS more_trashed_images,
           coalesce(p.trashed_images, 0) + m.trashed_images AS trashed_images,
           coalesce(p.trashed_bytes, 0) + m.trashed_bytes AS trashed_bytes, m.trashed_bytes AS more_trashed_bytes,
           CASE WHEN p.trashed_images + m.trashed_images = 0 THEN 0
                WHEN p.trashed_id = m.gone_trashed_id THEN 1
                WHEN p.trashed_id IS NULL THEN 2
                WHEN (m.come_trashed_at, m.come_trashed_id) > (p.trashed_at, p.trashed_id) THEN 2 ELSE 3 END AS trashed_case,
           p.trashed_at AS old_trashed_at, p.trashed_id AS old_trashed_id, m.come_trashed_at, m.come_trashed_id
    FROM moved m
    LEFT JOIN places p ON p.user_id = m.user_id AND p.cell = m.cell AND p.location = m.location
  ),
  kept AS (
    INSERT INTO places (user_id, cell, location, uploaded_at, active_images, trashed_images,
                        active_bytes, trashed_bytes, active_at, active_id, trashed_at, trashed_id)
    SELECT user_id, cell, location, uploaded_at, active_images, trashed_images, active_bytes,
           trashed_bytes,
           (ARRAY[NULL, n_active.at, come_active_at, old_active_at])[active_case + 1],
           (ARRAY[NULL, n_active.id, come_active_id, old_active_id])[active_case + 1],
           (ARRAY[NULL, n_trashed.at, come_trashed_at, old_trashed_at])[trashed_case + 1],
           (ARRAY[NULL, n_trashed.id, come_trashed_id, old_trashed_id])[trashed_case + 1]
    FROM counted
    LEFT JOIN LATERAL newest_at_place(user_id, location, false,
      CASE active_case WHEN 1 THEN greatest(old_active_at, come_active_at) END) AS n_active ON true
    LEFT JOIN LATERAL newest_at_place(user_id, location, true,
      CASE trashed_case WHEN 1 THEN greatest(old_trashed_at, come_trashed_at) END) AS n_trashed ON true
    WHERE active_images + trashed_images > 0
    ON CONFLICT (user_id, cell, location) DO UPDATE
    SET uploaded_at = excluded.uploaded_at, active_images = excluded.active_images,
        trashed_images = excluded.trashed_images, active_bytes = excluded.active_bytes,
        trashed_bytes = excluded.trashed_bytes, active_at = excluded.active_at,
        active_id = excluded.active_id, trashed_at = excluded.trashed_at,
        trashed_id = excluded.trashed_id
  ),
  emptied AS (
    DELETE FROM places p USING counted c
    WHERE p.user_id = c.user_id AND p.cell = c.cell AND p.location = c.location
      AND c.active_images + c.trashed_images = 0
  ),
  tile AS MATERIALIZED (
    SELECT user_id, zoom, cell >> (52 - 2 * zoom) << (52 - 2 * zoom) AS cell,
           map_x(location) >> (26 - zoom) AS x, map_y(location) >> (26 - zoom) AS y,
           sum((active_images + trashed_images > 0)::integer
               - (old_active_images + old_trashed_images > 0)::integer) AS places,
           sum((active_images > 0)::integer - (old_active_images > 0)::integer) AS active_places,
           sum((trashed_images > 0)::integer - (old_trashed_images > 0)::integer) AS trashed_places,
           sum(more_active_images) AS active_images, sum(more_trashed_images) AS trashed_images,
           sum(more_active_bytes) AS active_bytes, sum(more_trashed_bytes) AS trashed_bytes,
           max(come_active_at) AS active_at,
           (array_agg(come_active_id ORDER BY come_active_at DESC NULLS LAST, come_active_id DESC))[1]
             AS active_id,
           (array_agg(CASE WHEN come_active_id IS NOT NULL THEN cell END
                      ORDER BY come_active_at DESC NULLS LAST, come_active_id DESC))[1] AS active_cell,
           (array_agg(gone_active_id ORDER BY gone_active_at DESC NULLS LAST, gone_active_id DESC))[1]
             AS gone_id
    FROM counted CROSS JOIN unnest(zooms) AS zoom
    GROUP BY 1, 2, 3, 4, 5
  ),
  stale AS (
    SELECT t.zoom, t.user_id, t.cell
    FROM tile t JOIN map_cells c ON c.user_id = t.user_id AND c.zoom = t.zoom AND c.cell = t.cell
    WHERE c.active_id = t.gone_id AND c.active_images + t.active_images > 0
  ),
  summed AS (
    INSERT INTO map_cells AS c (user_id, platform_id, zoom, cell, x, y, places, active_places,
                                trashed_places, active_images, trashed_images, active_bytes,
                                trashed_bytes, active_at, active_id, active_cell)
    SELECT t.user_id, (SELECT u.platform_id FROM users u WHERE u.id = t.user_id), t.zoom, t.cell, t.x,
           t.y, t.places, t.active_places, t.trashed_places, t.active_images, t.trashed_images,
           t.active_bytes, t.trashed_bytes, t.active_at, t.active_id, t.active_cell
    FROM tile t
    ON CONFLICT (user_id, zoom, cell) DO UPDATE
    SET places = c.places + excluded.places,
        active_places = c.active_places + excluded.active_places,
        trashed_places = c.trashed_places + excluded.trashed_places,
        active_images = c.active_images + excluded.active_images,
        trashed_images = c.trashed_images + excluded.trashed_images,
        active_bytes = c.active_bytes + excluded.active_bytes,
        trashed_bytes = c.trashed_bytes + excluded.trashed_bytes,
        (active_at, active_id, active_cell) = (
          SELECT n.* FROM (VALUES
            (c.active_at, c.active_id, c.active_cell),
            (excluded.active_at, excluded.active_id, excluded.active_cell)) AS n (at, id, spot)
          WHERE n.id IS NOT NULL AND c.active_images + excluded.active_images > 0
          ORDER BY n.at DESC, n.id DESC LIMIT 1)
    RETURNING c.*
  )
  SELECT (SELECT array_agg(c::map_cells) FROM summed c WHERE places = 0),
         array_agg(zoom), array_agg(user_id), array_agg(cell)
  INTO empty_cells, stale_zooms, stale_owners, stale_tiles FROM stale;
  IF stale_zooms IS NOT NULL THEN
    FOREACH level IN ARRAY zooms LOOP
      PERFORM renew_newest(level, array_agg(s.owner), array_agg(s.tile))
      FROM unnest(stale_zooms, stale_owners, stale_tiles) AS s (zoom, owner, tile)
      WHERE s.zoom = level HAVING count(*) > 0;
    END LOOP;
  END IF;
  DELETE FROM map_cells c USING unnest(empty_cells) AS e
  WHERE (c.user_id, c.zoom, c.cell) = (e.user_id, e.zoom, e.cell);
END $function$;
