-- How changes of images change the sums of their places and of the cells that those are in (docs/adr/0013).

-- No sort: only one index has this order, and a plan that reads all of the user's images instead,
-- made while there were few, would last as long as the connection.
CREATE FUNCTION newest_at_place(who uuid, spot geography, trashed boolean, latest timestamptz,
                                latest_id uuid) RETURNS TABLE (at timestamptz, id uuid)
LANGUAGE plpgsql STABLE STRICT ROWS 1 SET enable_sort = off SET enable_seqscan = off
  SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $function$
BEGIN
  RETURN QUERY
    SELECT i.created_at, i.id FROM images i
    WHERE i.user_id = who AND i.location = spot AND (i.deleted_at IS NOT NULL) = trashed
      AND (i.created_at, i.id) <= (latest, latest_id)
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
      FROM newest_at_place(who, spot, false, old.active_at, old.active_id);
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
      FROM newest_at_place(who, spot, true, old.trashed_at, old.trashed_id);
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
  IF lost IS NULL THEN
    INSERT INTO map_cells AS c (user_id, platform_id, zoom, cell, x, y, places, active_places, trashed_places, active_images, trashed_images, active_bytes, trashed_bytes, active_at, active_id, active_cell)
    SELECT who, platform, zoom, at_cell >> (52 - 2 * zoom) << (52 - 2 * zoom), at_x >> (26 - zoom), at_y >> (26 - zoom),
           (now.active_images + now.trashed_images > 0)::integer - (old.user_id IS NOT NULL)::integer,
           (now.active_images > 0)::integer - (coalesce(old.active_images, 0) > 0)::integer, (now.trashed_images > 0)::integer - (coalesce(old.trashed_images, 0) > 0)::integer, active, trashed, more_active, more_trashed,
           CASE come_active WHEN 1 THEN come.created_at END, CASE come_active WHEN 1 THEN come.id END, CASE come_active WHEN 1 THEN at_cell END
    FROM unnest(ARRAY[0, 6, 9, 12, 15, 18, 21, 24]) AS zoom
  ON CONFLICT (user_id, zoom, cell) DO UPDATE
  SET places = c.places + excluded.places, active_places = c.active_places + excluded.active_places, trashed_places = c.trashed_places + excluded.trashed_places, active_images = c.active_images + excluded.active_images, trashed_images = c.trashed_images + excluded.trashed_images, active_bytes = c.active_bytes + excluded.active_bytes, trashed_bytes = c.trashed_bytes + excluded.trashed_bytes, active_at = CASE WHEN false THEN NULL
      WHEN excluded.active_id IS NOT NULL AND (c.active_id IS NULL
        OR (excluded.active_at, excluded.active_id) > (c.active_at, c.active_id))
      THEN excluded.active_at ELSE c.active_at END, active_id = CASE WHEN false THEN NULL
      WHEN excluded.active_id IS NOT NULL AND (c.active_id IS NULL
        OR (excluded.active_at, excluded.active_id) > (c.active_at, c.active_id))
      THEN excluded.active_id ELSE c.active_id END, active_cell = CASE WHEN false THEN NULL
      WHEN excluded.active_id IS NOT NULL AND (c.active_id IS NULL
        OR (excluded.active_at, excluded.active_id) > (c.active_at, c.active_id))
      THEN excluded.active_cell ELSE c.active_cell END;
  ELSE
    WITH counted AS (
    INSERT INTO map_cells AS c (user_id, platform_id, zoom, cell, x, y, places, active_places, trashed_places, active_images, trashed_images, active_bytes, trashed_bytes, active_at, active_id, active_cell)
    SELECT who, platform, zoom, at_cell >> (52 - 2 * zoom) << (52 - 2 * zoom), at_x >> (26 - zoom), at_y >> (26 - zoom),
           (now.active_images + now.trashed_images > 0)::integer - (old.user_id IS NOT NULL)::integer,
           (now.active_images > 0)::integer - (coalesce(old.active_images, 0) > 0)::integer, (now.trashed_images > 0)::integer - (coalesce(old.trashed_images, 0) > 0)::integer, active, trashed, more_active, more_trashed,
           CASE come_active WHEN 1 THEN come.created_at END, CASE come_active WHEN 1 THEN come.id END, CASE come_active WHEN 1 THEN at_cell END
    FROM unnest(ARRAY[0, 6, 9, 12, 15, 18, 21, 24]) AS zoom
  ON CONFLICT (user_id, zoom, cell) DO UPDATE
  SET places = c.places + excluded.places, active_places = c.active_places + excluded.active_places, trashed_places = c.trashed_places + excluded.trashed_places, active_images = c.active_images + excluded.active_images, trashed_images = c.trashed_images + excluded.trashed_images, active_bytes = c.active_bytes + excluded.active_bytes, trashed_bytes = c.trashed_bytes + excluded.trashed_bytes, active_at = CASE WHEN c.active_id = lost THEN NULL
      WHEN excluded.active_id IS NOT NULL AND (c.active_id IS NULL
        OR (excluded.active_at, excluded.active_id) > (c.active_at, c.active_id))
      THEN excluded.active_at ELSE c.active_at END, active_id = CASE WHEN c.active_id = lost THEN NULL
      WHEN excluded.active_id IS NOT NULL AND (c.active_id IS NULL
        OR (excluded.active_at, excluded.active_id) > (c.active_at, c.active_id))
      THEN excluded.active_id ELSE c.active_id END, active_cell = CASE WHEN c.active_id = lost THEN NULL
      WHEN excluded.active_id IS NOT NULL AND (c.active_id IS NULL
        OR (excluded.active_at, excluded.active_id) > (c.active_at, c.active_id))
      THEN excluded.active_cell ELSE c.active_cell END
      RETURNING c.zoom, c.active_id, c.active_images
    )
    SELECT array_agg(c.zoom ORDER BY c.zoom DESC) INTO stale
    FROM counted c WHERE c.active_images > 0 AND c.active_id IS NULL;
    FOREACH level IN ARRAY coalesce(stale, '{}') LOOP
      PERFORM renew_newest(level, ARRAY[who], ARRAY[at_cell >> (52 - 2 * level) << (52 - 2 * level)]);
    END LOOP;
  END IF;
  IF now.active_images + now.trashed_images = 0 THEN
    DELETE FROM map_cells c USING unnest(ARRAY[0, 6, 9, 12, 15, 18, 21, 24]) AS z (zoom)
    WHERE c.user_id = who AND c.zoom = z.zoom AND c.places = 0 AND c.cell = at_cell >> (52 - 2 * z.zoom) << (52 - 2 * z.zoom);
  END IF;
END $function$;

CREATE FUNCTION keep_places() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  facts CONSTANT text := 'id, user_id, location, deleted_at, bytes, created_at, uploaded_at';
  gone images;
  come images;
  rows integer;
  changes text;
  empty_cells map_cells[];
  stale_zooms integer[];
  stale_owners uuid[];
  stale_tiles bigint[];
  level integer;
BEGIN
  IF TG_OP = 'DELETE' THEN
    SELECT count(*) INTO rows FROM (SELECT FROM old_rows LIMIT 2) AS few;
  ELSE
    SELECT count(*) INTO rows FROM (SELECT FROM new_rows LIMIT 2) AS few;
  END IF;
  IF rows = 1 THEN
    IF TG_OP <> 'INSERT' THEN SELECT * INTO gone FROM old_rows; END IF;
    IF TG_OP <> 'DELETE' THEN SELECT * INTO come FROM new_rows; END IF;
    IF gone.location IS NULL AND come.location IS NULL
       OR (gone.user_id, gone.location, gone.deleted_at IS NULL, gone.bytes, gone.created_at) = (come.user_id, come.location, come.deleted_at IS NULL, come.bytes, come.created_at) THEN
      RETURN NULL;
    END IF;
    PERFORM FROM users WHERE id IN (come.user_id, gone.user_id) ORDER BY id FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN NULL; END IF;
    IF gone.location IS NOT NULL AND gone.deleted_at IS NULL
       AND (TG_OP = 'DELETE' OR come.location IS NOT NULL AND come.deleted_at IS NULL
            AND (gone.user_id, gone.location, gone.created_at)
                <> (come.user_id, come.location, come.created_at)) THEN
      UPDATE users SET map_version = map_version + 1 WHERE id IN (come.user_id, gone.user_id);
    END IF;
    IF gone.location = come.location AND gone.user_id = come.user_id THEN
      PERFORM count_at_place(come.location, gone, come);
    ELSE
      IF gone.location IS NOT NULL THEN
        PERFORM count_at_place(gone.location, gone, NULL);
      END IF;
      IF come.location IS NOT NULL THEN
        PERFORM count_at_place(come.location, NULL, come);
      END IF;
    END IF;
  ELSIF rows > 1 THEN
    changes := CASE TG_OP
      WHEN 'INSERT' THEN
        'SELECT 1 AS sign, ' || facts || ' FROM new_rows WHERE location IS NOT NULL'
      WHEN 'DELETE' THEN
        'SELECT -1 AS sign, ' || facts || ' FROM old_rows WHERE location IS NOT NULL'
      ELSE
        'SELECT v.* FROM old_rows o JOIN new_rows n USING (id)
         CROSS JOIN LATERAL (VALUES (-1, o.id, o.user_id, o.location, o.deleted_at, o.bytes, o.created_at, o.uploaded_at), (1, n.id, n.user_id, n.location, n.deleted_at, n.bytes, n.created_at, n.uploaded_at))
           AS v (sign, ' || facts || ')
         WHERE v.location IS NOT NULL
           AND (o.user_id, o.location, o.deleted_at IS NULL, o.bytes, o.created_at) IS DISTINCT FROM (n.user_id, n.location, n.deleted_at IS NULL, n.bytes, n.created_at)'
      END;
    EXECUTE 'SELECT FROM users WHERE id IN (SELECT user_id FROM (' || changes || ') AS change)
             ORDER BY id FOR NO KEY UPDATE';
    EXECUTE 'UPDATE users SET map_version = map_version + 1 WHERE id IN (' || CASE TG_OP
      WHEN 'INSERT' THEN 'SELECT user_id FROM new_rows r WHERE r.location IS NOT NULL AND r.deleted_at IS NULL'
      WHEN 'DELETE' THEN 'SELECT user_id FROM old_rows r WHERE r.location IS NOT NULL AND r.deleted_at IS NULL'
      ELSE 'SELECT unnest(ARRAY[o.user_id, n.user_id]) FROM old_rows o JOIN new_rows n USING (id)
            WHERE (CASE WHEN o.location IS NOT NULL AND o.deleted_at IS NULL
    THEN ROW(o.user_id, o.location, o.folder_id, o.has_det, o.created_at) END) IS DISTINCT FROM (CASE WHEN n.location IS NOT NULL AND n.deleted_at IS NULL
    THEN ROW(n.user_id, n.location, n.folder_id, n.has_det, n.created_at) END)'
      END || ')';
    EXECUTE 'WITH change AS (' || changes || '),
    moved AS MATERIALIZED (
      SELECT user_id, location, map_cell(location) AS cell, max(uploaded_at) AS uploaded_at,

             coalesce(sum(sign) FILTER (WHERE deleted_at IS NULL), 0) AS active_images,
             coalesce(sum(sign * bytes) FILTER (WHERE deleted_at IS NULL), 0) AS active_bytes,
             max(created_at) FILTER (WHERE sign = 1 AND deleted_at IS NULL) AS come_active_at,
             (array_agg(id ORDER BY created_at DESC, id DESC)
               FILTER (WHERE sign = 1 AND deleted_at IS NULL))[1] AS come_active_id,
             (array_agg(id ORDER BY created_at DESC, id DESC)
               FILTER (WHERE sign = -1 AND deleted_at IS NULL))[1] AS gone_active_id,

             coalesce(sum(sign) FILTER (WHERE deleted_at IS NOT NULL), 0) AS trashed_images,
             coalesce(sum(sign * bytes) FILTER (WHERE deleted_at IS NOT NULL), 0) AS trashed_bytes,
             max(created_at) FILTER (WHERE sign = 1 AND deleted_at IS NOT NULL) AS come_trashed_at,
             (array_agg(id ORDER BY created_at DESC, id DESC)
               FILTER (WHERE sign = 1 AND deleted_at IS NOT NULL))[1] AS come_trashed_id,
             (array_agg(id ORDER BY created_at DESC, id DESC)
               FILTER (WHERE sign = -1 AND deleted_at IS NOT NULL))[1] AS gone_trashed_id,
             max(created_at) FILTER (WHERE sign = -1 AND deleted_at IS NULL) AS gone_active_at
      FROM change
      WHERE user_id IN (SELECT id FROM users)
      GROUP BY user_id, location
    ),
    counted AS MATERIALIZED (
      SELECT m.user_id, m.cell, m.location, m.gone_active_at, m.gone_active_id,

             coalesce(p.active_images, 0) AS old_active_images,
             coalesce(p.active_images, 0) + m.active_images AS active_images,
             coalesce(p.active_bytes, 0) + m.active_bytes AS active_bytes,
             m.active_images AS more_active_images, m.active_bytes AS more_active_bytes,
             CASE WHEN p.active_images + m.active_images = 0 THEN 0
                  WHEN p.active_id = m.gone_active_id THEN 1
                  WHEN p.active_id IS NULL THEN 2
                  WHEN (m.come_active_at, m.come_active_id) > (p.active_at, p.active_id)
                  THEN 2 ELSE 3 END AS active_case,
             p.active_at AS old_active_at, p.active_id AS old_active_id,
             m.come_active_at, m.come_active_id,
             coalesce(p.trashed_images, 0) AS old_trashed_images,
             coalesce(p.trashed_images, 0) + m.trashed_images AS trashed_images,
             coalesce(p.trashed_bytes, 0) + m.trashed_bytes AS trashed_bytes,
             m.trashed_images AS more_trashed_images, m.trashed_bytes AS more_trashed_bytes,
             CASE WHEN p.trashed_images + m.trashed_images = 0 THEN 0
                  WHEN p.trashed_id = m.gone_trashed_id THEN 1
                  WHEN p.trashed_id IS NULL THEN 2
                  WHEN (m.come_trashed_at, m.come_trashed_id) > (p.trashed_at, p.trashed_id)
                  THEN 2 ELSE 3 END AS trashed_case,
             p.trashed_at AS old_trashed_at, p.trashed_id AS old_trashed_id,
             m.come_trashed_at, m.come_trashed_id,
             greatest(p.uploaded_at, m.uploaded_at) AS uploaded_at
      FROM moved m
      LEFT JOIN places p ON p.user_id = m.user_id AND p.cell = m.cell AND p.location = m.location
    ),
    kept AS (
      INSERT INTO places (user_id, cell, location, active_images, trashed_images, active_bytes, trashed_bytes, active_at, active_id, trashed_at, trashed_id, uploaded_at)
      SELECT user_id, cell, location, active_images, trashed_images, active_bytes, trashed_bytes,

             (array[NULL, n_active.at, come_active_at, old_active_at])[active_case + 1]
               AS active_at,
             (array[NULL, n_active.id, come_active_id, old_active_id])[active_case + 1]
               AS active_id,
             (array[NULL, n_trashed.at, come_trashed_at, old_trashed_at])[trashed_case + 1]
               AS trashed_at,
             (array[NULL, n_trashed.id, come_trashed_id, old_trashed_id])[trashed_case + 1]
               AS trashed_id, uploaded_at
      FROM counted

      LEFT JOIN LATERAL newest_at_place(user_id, location, false,
        CASE active_case WHEN 1 THEN ''infinity''::timestamptz END,
        ''ffffffff-ffff-ffff-ffff-ffffffffffff'') AS n_active ON true

      LEFT JOIN LATERAL newest_at_place(user_id, location, true,
        CASE trashed_case WHEN 1 THEN ''infinity''::timestamptz END,
        ''ffffffff-ffff-ffff-ffff-ffffffffffff'') AS n_trashed ON true
      WHERE active_images + trashed_images > 0
      ON CONFLICT (user_id, cell, location) DO UPDATE
      SET active_images = excluded.active_images, trashed_images = excluded.trashed_images, active_bytes = excluded.active_bytes, trashed_bytes = excluded.trashed_bytes, active_at = excluded.active_at, active_id = excluded.active_id, trashed_at = excluded.trashed_at, trashed_id = excluded.trashed_id, uploaded_at = excluded.uploaded_at
    ),
    emptied AS (
      DELETE FROM places p USING counted c
      WHERE p.user_id = c.user_id AND p.cell = c.cell AND p.location = c.location
        AND c.active_images + c.trashed_images = 0
    ),
    tile AS MATERIALIZED (
      SELECT user_id, platform_id, zoom, cell, x, y, sum(places) AS places, sum(active_places) AS active_places, sum(trashed_places) AS trashed_places, sum(active_images) AS active_images, sum(trashed_images) AS trashed_images, sum(active_bytes) AS active_bytes, sum(trashed_bytes) AS trashed_bytes,
             (array_agg(come_active_at ORDER BY come_active_at DESC NULLS LAST, come_active_id DESC NULLS LAST))[1] AS active_at,
             (array_agg(come_active_id ORDER BY come_active_at DESC NULLS LAST, come_active_id DESC NULLS LAST))[1] AS active_id,
             (array_agg(spot ORDER BY come_active_at DESC NULLS LAST, come_active_id DESC NULLS LAST))[1] AS active_cell, (array_agg(gone_active_id ORDER BY gone_active_at DESC NULLS LAST, gone_active_id DESC NULLS LAST))[1] AS gone_id
      FROM (
        SELECT user_id, zoom,
cell >> (52 - 2 * zoom) << (52 - 2 * zoom) AS cell,
map_x(location) >> (26 - zoom) AS x, map_y(location) >> (26 - zoom) AS y,
               (active_images + trashed_images > 0)::integer
                 - (old_active_images + old_trashed_images > 0)::integer AS places,
               (active_images > 0)::integer - (old_active_images > 0)::integer AS active_places, (trashed_images > 0)::integer - (old_trashed_images > 0)::integer AS trashed_places,
               more_active_images AS active_images, more_trashed_images AS trashed_images, more_active_bytes AS active_bytes, more_trashed_bytes AS trashed_bytes,
               come_active_at, come_active_id, gone_active_at, gone_active_id,
               CASE WHEN come_active_id IS NOT NULL THEN cell END AS spot
        FROM counted CROSS JOIN unnest(ARRAY[0, 6, 9, 12, 15, 18, 21, 24]) AS zoom
      ) AS change
      JOIN (SELECT id, platform_id FROM users) AS owner ON owner.id = user_id
      GROUP BY user_id, platform_id, zoom, cell, x, y
    ),
    stale AS (
      SELECT t.zoom, t.user_id, t.cell
      FROM tile t JOIN map_cells c ON c.user_id = t.user_id AND c.zoom = t.zoom AND c.cell = t.cell
      WHERE c.active_id = t.gone_id AND c.active_images + t.active_images > 0
    ),
    summed AS (
      INSERT INTO map_cells AS c (user_id, platform_id, zoom, cell, x, y, places, active_places, trashed_places, active_images, trashed_images, active_bytes, trashed_bytes, active_at, active_id, active_cell)
      SELECT user_id, platform_id, zoom, cell, x, y, places, active_places, trashed_places, active_images, trashed_images, active_bytes, trashed_bytes, active_at, active_id, active_cell FROM tile
  ON CONFLICT (user_id, zoom, cell) DO UPDATE
  SET places = c.places + excluded.places, active_places = c.active_places + excluded.active_places, trashed_places = c.trashed_places + excluded.trashed_places, active_images = c.active_images + excluded.active_images, trashed_images = c.trashed_images + excluded.trashed_images, active_bytes = c.active_bytes + excluded.active_bytes, trashed_bytes = c.trashed_bytes + excluded.trashed_bytes, active_at = CASE WHEN c.active_images + excluded.active_images = 0 THEN NULL
      WHEN excluded.active_id IS NOT NULL AND (c.active_id IS NULL
        OR (excluded.active_at, excluded.active_id) > (c.active_at, c.active_id))
      THEN excluded.active_at ELSE c.active_at END, active_id = CASE WHEN c.active_images + excluded.active_images = 0 THEN NULL
      WHEN excluded.active_id IS NOT NULL AND (c.active_id IS NULL
        OR (excluded.active_at, excluded.active_id) > (c.active_at, c.active_id))
      THEN excluded.active_id ELSE c.active_id END, active_cell = CASE WHEN c.active_images + excluded.active_images = 0 THEN NULL
      WHEN excluded.active_id IS NOT NULL AND (c.active_id IS NULL
        OR (excluded.active_at, excluded.active_id) > (c.active_at, c.active_id))
      THEN excluded.active_cell ELSE c.active_cell END
      RETURNING c.*
    )
    SELECT (SELECT array_agg(c::map_cells) FROM summed c WHERE places = 0),
           array_agg(zoom), array_agg(user_id), array_agg(cell) FROM stale'
      INTO empty_cells, stale_zooms, stale_owners, stale_tiles;
    IF stale_zooms IS NOT NULL THEN
      FOREACH level IN ARRAY ARRAY[24, 21, 18, 15, 12, 9, 6, 0] LOOP
        PERFORM renew_newest(level, array_agg(s.owner), array_agg(s.tile))
        FROM unnest(stale_zooms, stale_owners, stale_tiles) AS s (zoom, owner, tile)
        WHERE s.zoom = level HAVING count(*) > 0;
      END LOOP;
    END IF;
    DELETE FROM map_cells c USING unnest(empty_cells) AS e
    WHERE (c.user_id, c.zoom, c.cell) = (e.user_id, e.zoom, e.cell);
  END IF;
  RETURN NULL;
END $function$;

CREATE TRIGGER place_inserted AFTER INSERT ON images
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_places();
CREATE TRIGGER place_updated AFTER UPDATE ON images
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_places();
CREATE TRIGGER place_deleted AFTER DELETE ON images
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_places();

CREATE FUNCTION redraw_map() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  UPDATE users SET map_version = map_version + 1 WHERE id = NEW.user_id;
  RETURN NULL;
END $function$;

CREATE TRIGGER redraw_taken AFTER UPDATE OF taken_at ON images
  FOR EACH ROW
  WHEN (OLD.taken_at IS DISTINCT FROM NEW.taken_at
        AND NEW.location IS NOT NULL AND NEW.deleted_at IS NULL)
  EXECUTE FUNCTION redraw_map();
