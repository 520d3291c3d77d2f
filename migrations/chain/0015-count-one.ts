import { addToCells, cellOf, sums, zooms } from './0015-sums.js';

// An upload is one row: statements with plans that are kept, since planning would take most of the
// time. Only images up to the newest known one can be the newest after a change.
export const countingOne = `
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

  -- Counts an image that has left this place, or come to it, or both when it only changed there.
  CREATE FUNCTION count_at_place(spot geography, gone images, come images) RETURNS void
  LANGUAGE plpgsql AS $function$
  DECLARE
    who CONSTANT uuid := coalesce(come.user_id, gone.user_id);
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
    old places;
    now places;
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
      SELECT at, id INTO now.active_at, now.active_id
      FROM newest_at_place(who, spot, false, old.active_at, old.active_id);
    END IF;
    IF come_trashed = 1 AND (old.trashed_id IS NULL
                             OR (come.created_at, come.id) > (old.trashed_at, old.trashed_id)) THEN
      now.trashed_at := come.created_at;
      now.trashed_id := come.id;
    ELSIF gone.id = old.trashed_id THEN
      SELECT at, id INTO now.trashed_at, now.trashed_id
      FROM newest_at_place(who, spot, true, old.trashed_at, old.trashed_id);
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

    IF (active, trashed, more_active, more_trashed) = (0, 0, 0, 0) THEN RETURN; END IF;
    INSERT INTO map_cells AS c (user_id, zoom, cell, x, y, ${sums.join(', ')})
    SELECT who, zoom, ${cellOf('at_cell', 'spot')},
           (now.active_images + now.trashed_images > 0)::integer - (old.user_id IS NOT NULL)::integer,
           (now.active_images > 0)::integer - (coalesce(old.active_images, 0) > 0)::integer,
           (now.trashed_images > 0)::integer - (coalesce(old.trashed_images, 0) > 0)::integer,
           active, trashed, more_active, more_trashed
    FROM unnest(${zooms}) AS zoom
    ${addToCells};
    IF now.active_images + now.trashed_images = 0 THEN
      DELETE FROM map_cells c USING unnest(${zooms}) AS z (zoom)
      WHERE c.user_id = who AND c.zoom = z.zoom AND c.places = 0
        AND c.cell = at_cell >> (52 - 2 * z.zoom) << (52 - 2 * z.zoom);
    END IF;
  END $function$;
`;
