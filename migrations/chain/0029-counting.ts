import { cellOf, each, newest, sums, zoomArray } from './0029-cells.js';

/** Whether a cell keeps its newest image, or gets the one that has come. */
const renewed = (lost: string): string =>
  each(
    newest,
    (column) => `${column} = CASE WHEN ${lost} THEN NULL
        WHEN excluded.active_id IS NOT NULL AND (c.active_id IS NULL
          OR (excluded.active_at, excluded.active_id) > (c.active_at, c.active_id))
        THEN excluded.${column} ELSE c.${column} END`,
  );

/** @param lost whether the newest image of the cell has gone: which one is next is looked up later. */
export const addToCells = (lost: string): string => `
    ON CONFLICT (user_id, zoom, cell) DO UPDATE
    SET ${each(sums, (s) => `${s} = c.${s} + excluded.${s}`)}, ${renewed(lost)}`;

export const cellColumns = `user_id, platform_id, zoom, cell, x, y, ${[...sums, ...newest].join(', ')}`;

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

const newestAt = (state: string, trashed: boolean): string => `
    IF come_${state} = 1 AND (old.${state}_id IS NULL
                         OR (come.created_at, come.id) > (old.${state}_at, old.${state}_id)) THEN
      now.${state}_at := come.created_at;
      now.${state}_id := come.id;
    ELSIF gone.id = old.${state}_id THEN
      SELECT at, id INTO now.${state}_at, now.${state}_id
      FROM newest_at_place(who, spot, ${trashed}, old.${state}_at, old.${state}_id);
    END IF;`;

const there = (row: string, state: string): string => `coalesce(${row}.${state}_images, 0)`;

// As in migration 15, but for the newest images of cells. What comes is newer than what is there or
// not; if the newest one goes, the next is looked up from the finest zoom up.
const countAtPlace = `
  CREATE OR REPLACE FUNCTION count_at_place(spot geography, gone images, come images) RETURNS void
  LANGUAGE plpgsql AS $function$
  DECLARE
    who CONSTANT uuid := coalesce(come.user_id, gone.user_id);
    platform CONSTANT uuid := coalesce(come.platform_id, gone.platform_id);
    at_cell CONSTANT bigint := map_cell(spot);
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
    now.active_images := ${there('old', 'active')} + active;
    now.trashed_images := ${there('old', 'trashed')} + trashed;
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
    WITH counted AS (
      INSERT INTO map_cells AS c (${cellColumns})
      SELECT who, platform, zoom, ${cellOf('at_cell', 'spot')},
             (now.active_images + now.trashed_images > 0)::integer - (old.user_id IS NOT NULL)::integer,
             (now.active_images > 0)::integer - (${there('old', 'active')} > 0)::integer,
             (now.trashed_images > 0)::integer - (${there('old', 'trashed')} > 0)::integer,
             active, trashed, more_active, more_trashed,
             CASE come_active WHEN 1 THEN come.created_at END, CASE come_active WHEN 1 THEN come.id END,
             CASE come_active WHEN 1 THEN at_cell END
      FROM unnest(${zoomArray}) AS zoom${addToCells('c.active_id = lost')}
      RETURNING c.zoom, c.active_id, c.active_images
    )
    SELECT array_agg(c.zoom ORDER BY c.zoom DESC) INTO stale
    FROM counted c WHERE lost IS NOT NULL AND c.active_images > 0 AND c.active_id IS NULL;
    IF stale IS NOT NULL THEN
      FOREACH level IN ARRAY stale LOOP
        PERFORM renew_newest(level, ARRAY[who],
                             ARRAY[at_cell >> (52 - 2 * level) << (52 - 2 * level)]);
      END LOOP;
    END IF;
    IF now.active_images + now.trashed_images = 0 THEN
      DELETE FROM map_cells c USING unnest(${zoomArray}) AS z (zoom)
      WHERE c.user_id = who AND c.zoom = z.zoom AND c.places = 0
        AND c.cell = at_cell >> (52 - 2 * z.zoom) << (52 - 2 * z.zoom);
    END IF;
  END $function$;
`;

export const countingOne = renewNewest + countAtPlace;
