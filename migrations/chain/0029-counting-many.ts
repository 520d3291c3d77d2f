import {
  facts,
  lookUp,
  manyChanges,
  newest as newestOfPlaces,
  newestOf,
  placeSums,
  relevant,
  stateChange,
  stateOf,
  there,
} from './0015-counting.js';
import { cellOf, each, sums, zoomArray, zooms } from './0029-cells.js';
import { addToCells, cellColumns } from './0029-counting.js';

/** The first of a place's images by age, among those that came or went. */
const first = (what: string, of: string): string =>
  `(array_agg(${what} ORDER BY ${of}_active_at DESC NULLS LAST, ${of}_active_id DESC NULLS LAST))[1]`;

/**
 * Counts `changes`. Selects the cells that are empty then, and those whose newest image has gone: zooms,
 * users and cells.
 */
const countMany = `'WITH change AS (' || changes || '),
      moved AS MATERIALIZED (
        SELECT user_id, location, map_cell(location) AS cell, max(uploaded_at) AS uploaded_at,
               ${stateChange('active', 'deleted_at IS NULL')},
               ${stateChange('trashed', 'deleted_at IS NOT NULL')},
               max(created_at) FILTER (WHERE sign = -1 AND deleted_at IS NULL) AS gone_active_at
        FROM change
        WHERE user_id IN (SELECT id FROM users)
        GROUP BY user_id, location
      ),
      counted AS MATERIALIZED (
        SELECT m.user_id, m.cell, m.location, m.gone_active_at, m.gone_active_id,
               ${stateOf('active')}, ${stateOf('trashed')},
               greatest(p.uploaded_at, m.uploaded_at) AS uploaded_at
        FROM moved m
        LEFT JOIN places p ON p.user_id = m.user_id AND p.cell = m.cell AND p.location = m.location
      ),
      kept AS (
        INSERT INTO places (user_id, cell, location, ${[...placeSums, ...newestOfPlaces].join(', ')})
        SELECT user_id, cell, location, ${placeSums.join(', ')},
               ${newestOf('active')}, ${newestOf('trashed')}, uploaded_at
        FROM counted
        ${lookUp('active', false)}
        ${lookUp('trashed', true)}
        WHERE active_images + trashed_images > 0
        ON CONFLICT (user_id, cell, location) DO UPDATE
        SET ${each([...placeSums, ...newestOfPlaces], (c) => `${c} = excluded.${c}`)}
      ),
      emptied AS (
        DELETE FROM places p USING counted c
        WHERE p.user_id = c.user_id AND p.cell = c.cell AND p.location = c.location
          AND c.active_images + c.trashed_images = 0
      ),
      tile AS MATERIALIZED (
        SELECT user_id, platform_id, zoom, cell, x, y, ${each(sums, (s) => `sum(${s}) AS ${s}`)},
               ${first('come_active_at', 'come')} AS active_at,
               ${first('come_active_id', 'come')} AS active_id,
               ${first('spot', 'come')} AS active_cell, ${first('gone_active_id', 'gone')} AS gone_id
        FROM (
          SELECT user_id, zoom, ${cellOf('cell', 'location')},
                 (active_images + trashed_images > 0)::integer
                   - (old_active_images + old_trashed_images > 0)::integer AS places,
                 ${there('active')}, ${there('trashed')},
                 ${each(placeSums, (s) => `more_${s} AS ${s}`)},
                 come_active_at, come_active_id, gone_active_at, gone_active_id,
                 CASE WHEN come_active_id IS NOT NULL THEN cell END AS spot
          FROM counted CROSS JOIN unnest(${zoomArray}) AS zoom
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
        INSERT INTO map_cells AS c (${cellColumns})
        SELECT ${cellColumns} FROM tile${addToCells('c.active_images + excluded.active_images = 0')}
        RETURNING c.*
      )
      SELECT (SELECT array_agg(c::map_cells) FROM summed c WHERE places = 0),
             array_agg(zoom), array_agg(user_id), array_agg(cell) FROM stale'`;

const isShown = (row: string): string =>
  `${row}.location IS NOT NULL AND ${row}.deleted_at IS NULL`;

/** What maps show of an image; null if they do not show it. */
const shown = (row: string): string => `CASE WHEN ${isShown(row)}
      THEN ROW(${row}.user_id, ${row}.location, ${row}.folder_id, ${row}.has_det, ${row}.created_at) END`;

/** The users whose maps the statement has changed, where post_to_user does not see it. */
const redrawn = `CASE TG_OP
        WHEN 'INSERT' THEN 'SELECT user_id FROM new_rows r WHERE ${isShown('r')}'
        WHEN 'DELETE' THEN 'SELECT user_id FROM old_rows r WHERE ${isShown('r')}'
        ELSE 'SELECT unnest(ARRAY[o.user_id, n.user_id]) FROM old_rows o JOIN new_rows n USING (id)
              WHERE (${shown('o')}) IS DISTINCT FROM (${shown('n')})'
        END`;

// As in migration 15, but for the newest images of cells and the versions of maps. Of one image, all but
// a move on the map and a deletion raise the version together with the user's counters (post_to_user).
export const keeping = `
  CREATE OR REPLACE FUNCTION keep_places() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    facts CONSTANT text := '${facts}';
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
         OR (${relevant('gone')}) = (${relevant('come')}) THEN
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
      changes := ${manyChanges};
      EXECUTE 'SELECT FROM users WHERE id IN (SELECT user_id FROM (' || changes || ') AS change)
               ORDER BY id FOR NO KEY UPDATE';
      EXECUTE 'UPDATE users SET map_version = map_version + 1 WHERE id IN (' || ${redrawn} || ')';
      EXECUTE ${countMany}
        INTO empty_cells, stale_zooms, stale_owners, stale_tiles;
      IF stale_zooms IS NOT NULL THEN
        FOREACH level IN ARRAY ARRAY[${zooms.toReversed().join(', ')}] LOOP
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
`;
