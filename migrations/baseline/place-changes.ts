import { addToCells, cellColumns, each, zoomArray } from './map-cells.js';

// How one image changes the sums of its place and of the cells that the place is in (docs/adr/0013). An
// upload is one row: statements with plans that are kept, since planning would take most of the time.

// Only images up to the newest known one can be the newest after a change.
const newestAtPlace = `
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
`;

/** The newest image among places or cells `k` in a tile: few are looked at, by their key. */
const newestIn = (table: string, cell: string, condition: string): string => `
      UPDATE map_cells c
      SET active_at = n.active_at, active_id = n.active_id, active_cell = n.active_cell
      FROM unnest(owners, tiles) AS t (owner, tile)
      CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT k.active_at, k.active_id, k.${cell} AS active_cell FROM ${table} k
          WHERE k.user_id = t.owner ${condition} AND k.cell >= t.tile AND k.cell < t.tile + size
            AND k.active_id IS NOT NULL
          OFFSET 0
        ) AS k
        ORDER BY k.active_at DESC, k.active_id DESC LIMIT 1
      ) AS n
      WHERE c.user_id = t.owner AND c.zoom = level AND c.cell = t.tile;`;

const renewNewest = `
  -- Looks up the newest images of cells of one zoom: in the cells of the next one, which are right by
  -- then, or in the places. No more than 46,225 places fit into a cell of zoom 24, with 7 decimals.
  CREATE FUNCTION renew_newest(level integer, owners uuid[], tiles bigint[]) RETURNS void
  LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $function$
  DECLARE
    zooms CONSTANT integer[] := ${zoomArray};
    finer CONSTANT integer := zooms[array_position(zooms, level) + 1];
    size CONSTANT bigint := 1::bigint << (52 - 2 * level);
  BEGIN
    IF finer IS NULL THEN${newestIn('places', 'cell', '')}
    ELSE${newestIn('map_cells', 'active_cell', 'AND k.zoom = finer')}
    END IF;
  END $function$;
`;

const come = (state: string): string => `come_${state} = 1 AND (old.${state}_id IS NULL
                         OR (come.created_at, come.id) > (old.${state}_at, old.${state}_id))`;

/** Of a place with no image left in a state, none is looked for: most places have only one. */
const newestAt = (state: string, trashed: boolean): string => `
    IF ${come(state)} THEN
      now.${state}_at := come.created_at;
      now.${state}_id := come.id;
    ELSIF gone.id = old.${state}_id THEN
      now.${state}_at := NULL;
      now.${state}_id := NULL;
      IF now.${state}_images > 0 THEN
        SELECT at, id INTO now.${state}_at, now.${state}_id
        FROM newest_at_place(who, spot, ${trashed}, old.${state}_at, old.${state}_id);
      END IF;
    END IF;`;

const kept = (row: string, state: string): string => `coalesce(${row}.${state}_images, 0)`;

const there = (state: string): string =>
  `(now.${state}_images > 0)::integer - (${kept('old', state)} > 0)::integer`;

const tile = (zoom: string): string => `at_cell >> (52 - 2 * ${zoom}) << (52 - 2 * ${zoom})`;

const fromCome = (column: string): string => `CASE come_active WHEN 1 THEN ${column} END`;

const addedToCells = (lost: string): string => `
      INSERT INTO map_cells AS c (${cellColumns})
      SELECT who, platform, zoom, ${tile('zoom')}, at_x >> (26 - zoom), at_y >> (26 - zoom),
             (now.active_images + now.trashed_images > 0)::integer - (old.user_id IS NOT NULL)::integer,
             ${there('active')}, ${there('trashed')}, active, trashed, more_active, more_trashed,
             ${each(['come.created_at', 'come.id', 'at_cell'], fromCome)}
      FROM unnest(${zoomArray}) AS zoom${addToCells(lost)}`;

// What comes is newer than what is there or not; if the newest one goes, the next is looked up from the
// finest zoom up. Where the place is on the map is computed once, and not for each zoom.
const countAtPlace = `
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
    now.active_images := ${kept('old', 'active')} + active;
    now.trashed_images := ${kept('old', 'trashed')} + trashed;
    now.active_bytes := coalesce(old.active_bytes, 0) + more_active;
    now.trashed_bytes := coalesce(old.trashed_bytes, 0) + more_trashed;
    now.uploaded_at := greatest(old.uploaded_at, come.uploaded_at);${newestAt('active', false)}${newestAt('trashed', true)}

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
    IF lost IS NULL THEN${addedToCells('false')};
    ELSE
      WITH counted AS (${addedToCells('c.active_id = lost')}
        RETURNING c.zoom, c.active_id, c.active_images
      )
      SELECT array_agg(c.zoom ORDER BY c.zoom DESC) INTO stale
      FROM counted c WHERE c.active_images > 0 AND c.active_id IS NULL;
      FOREACH level IN ARRAY coalesce(stale, '{}') LOOP
        PERFORM renew_newest(level, ARRAY[who], ARRAY[${tile('level')}]);
      END LOOP;
    END IF;
    IF now.active_images + now.trashed_images = 0 THEN
      DELETE FROM map_cells c USING unnest(${zoomArray}) AS z (zoom)
      WHERE c.user_id = who AND c.zoom = z.zoom AND c.places = 0 AND c.cell = ${tile('z.zoom')};
    END IF;
  END $function$;
`;

export const placeChanges = newestAtPlace + renewNewest + countAtPlace;
