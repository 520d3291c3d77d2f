import { addToCells, cellColumns, cellOf, each, sums, zoomArray, zooms } from './map-cells.js';

// The trigger that keeps places and cells, whatever statement changes images (docs/adr/0013).
// EXECUTE plans for as many rows as there are this time; one row, like an upload, goes without.

const facts = 'id, user_id, location, deleted_at, bytes, created_at, uploaded_at';
const factsOf = (row: string): string => facts.replaceAll(/\w+/g, (name) => `${row}.${name}`);

const relevant = (row: string): string =>
  `${row}.user_id, ${row}.location, ${row}.deleted_at IS NULL, ${row}.bytes, ${row}.created_at`;

/** The changes of many images, as rows of `sign` and what counts. */
const manyChanges = `CASE TG_OP
        WHEN 'INSERT' THEN
          'SELECT 1 AS sign, ' || facts || ' FROM new_rows WHERE location IS NOT NULL'
        WHEN 'DELETE' THEN
          'SELECT -1 AS sign, ' || facts || ' FROM old_rows WHERE location IS NOT NULL'
        ELSE
          'SELECT v.* FROM old_rows o JOIN new_rows n USING (id)
           CROSS JOIN LATERAL (VALUES (-1, ${factsOf('o')}), (1, ${factsOf('n')}))
             AS v (sign, ' || facts || ')
           WHERE v.location IS NOT NULL
             AND (${relevant('o')}) IS DISTINCT FROM (${relevant('n')})'
        END`;

/** Of a state, the id and the time of the newest image that came or went, and the sums. */
const stateChange = (state: string, condition: string): string => `
               coalesce(sum(sign) FILTER (WHERE ${condition}), 0) AS ${state}_images,
               coalesce(sum(sign * bytes) FILTER (WHERE ${condition}), 0) AS ${state}_bytes,
               max(created_at) FILTER (WHERE sign = 1 AND ${condition}) AS come_${state}_at,
               (array_agg(id ORDER BY created_at DESC, id DESC)
                 FILTER (WHERE sign = 1 AND ${condition}))[1] AS come_${state}_id,
               (array_agg(id ORDER BY created_at DESC, id DESC)
                 FILTER (WHERE sign = -1 AND ${condition}))[1] AS gone_${state}_id`;

/** The newest image is looked up only if the one that was has gone and others are left. */
const stateOf = (state: string): string => `
               coalesce(p.${state}_images, 0) AS old_${state}_images,
               coalesce(p.${state}_images, 0) + m.${state}_images AS ${state}_images,
               coalesce(p.${state}_bytes, 0) + m.${state}_bytes AS ${state}_bytes,
               m.${state}_images AS more_${state}_images, m.${state}_bytes AS more_${state}_bytes,
               CASE WHEN p.${state}_images + m.${state}_images = 0 THEN 0
                    WHEN p.${state}_id = m.gone_${state}_id THEN 1
                    WHEN p.${state}_id IS NULL THEN 2
                    WHEN (m.come_${state}_at, m.come_${state}_id) > (p.${state}_at, p.${state}_id)
                    THEN 2 ELSE 3 END AS ${state}_case,
               p.${state}_at AS old_${state}_at, p.${state}_id AS old_${state}_id,
               m.come_${state}_at, m.come_${state}_id`;

const newestOf = (state: string): string => `
               (array[NULL, n_${state}.at, come_${state}_at, old_${state}_at])[${state}_case + 1]
                 AS ${state}_at,
               (array[NULL, n_${state}.id, come_${state}_id, old_${state}_id])[${state}_case + 1]
                 AS ${state}_id`;

const lookUp = (state: string, trashed: boolean): string => `
        LEFT JOIN LATERAL newest_at_place(user_id, location, ${trashed},
          CASE ${state}_case WHEN 1 THEN ''infinity''::timestamptz END,
          ''ffffffff-ffff-ffff-ffff-ffffffffffff'') AS n_${state} ON true`;

const placeSums = sums.slice(3);
const newest = ['active_at', 'active_id', 'trashed_at', 'trashed_id', 'uploaded_at'];
const there = (state: string): string =>
  `(${state}_images > 0)::integer - (old_${state}_images > 0)::integer AS ${state}_places`;

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
        INSERT INTO places (user_id, cell, location, ${[...placeSums, ...newest].join(', ')})
        SELECT user_id, cell, location, ${placeSums.join(', ')},
               ${newestOf('active')}, ${newestOf('trashed')}, uploaded_at
        FROM counted
        ${lookUp('active', false)}
        ${lookUp('trashed', true)}
        WHERE active_images + trashed_images > 0
        ON CONFLICT (user_id, cell, location) DO UPDATE
        SET ${each([...placeSums, ...newest], (c) => `${c} = excluded.${c}`)}
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

// Named to run after account_for_images and count_in_ranges. The images of a user that is being deleted
// count nowhere: the user's places and cells go by themselves. Of one image, all but a move on the map and
// a deletion raise the map's version together with the user's counters (post_to_user).
export const keepPlaces = `
  CREATE FUNCTION keep_places() RETURNS trigger LANGUAGE plpgsql AS $function$
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

  CREATE TRIGGER place_inserted AFTER INSERT ON images
    REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION keep_places();
  CREATE TRIGGER place_updated AFTER UPDATE ON images
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION keep_places();
  CREATE TRIGGER place_deleted AFTER DELETE ON images
    REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION keep_places();
`;

// Maps of pictures by the time that they were taken show another one then (docs/adr/0013). A column that
// nearly no statement sets: the trigger costs the others nothing.
export const redrawTaken = `
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
`;
