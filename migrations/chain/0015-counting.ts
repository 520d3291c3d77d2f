import { addToCells, cellOf, each, sums, zooms } from './0015-sums.js';

export const facts = 'id, user_id, location, deleted_at, bytes, created_at, uploaded_at';
export const factsOf = (row: string): string =>
  facts.replaceAll(/\w+/g, (name) => `${row}.${name}`);

export const relevant = (row: string): string =>
  `${row}.user_id, ${row}.location, ${row}.deleted_at IS NULL, ${row}.bytes, ${row}.created_at`;

/** The changes of many images, as rows of `sign` and what counts. */
export const manyChanges = `CASE TG_OP
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
export const stateChange = (state: string, condition: string): string => `
               coalesce(sum(sign) FILTER (WHERE ${condition}), 0) AS ${state}_images,
               coalesce(sum(sign * bytes) FILTER (WHERE ${condition}), 0) AS ${state}_bytes,
               max(created_at) FILTER (WHERE sign = 1 AND ${condition}) AS come_${state}_at,
               (array_agg(id ORDER BY created_at DESC, id DESC)
                 FILTER (WHERE sign = 1 AND ${condition}))[1] AS come_${state}_id,
               (array_agg(id ORDER BY created_at DESC, id DESC)
                 FILTER (WHERE sign = -1 AND ${condition}))[1] AS gone_${state}_id`;

/** The newest image is looked up only if the one that was has gone and others are left. */
export const stateOf = (state: string): string => `
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

export const newestOf = (state: string): string => `
               (array[NULL, n_${state}.at, come_${state}_at, old_${state}_at])[${state}_case + 1]
                 AS ${state}_at,
               (array[NULL, n_${state}.id, come_${state}_id, old_${state}_id])[${state}_case + 1]
                 AS ${state}_id`;

export const lookUp = (state: string, trashed: boolean): string => `
        LEFT JOIN LATERAL newest_at_place(user_id, location, ${trashed},
          CASE ${state}_case WHEN 1 THEN ''infinity''::timestamptz END,
          ''ffffffff-ffff-ffff-ffff-ffffffffffff'') AS n_${state} ON true`;

export const placeSums = sums.slice(3);
export const newest = ['active_at', 'active_id', 'trashed_at', 'trashed_id', 'uploaded_at'];
export const there = (state: string): string =>
  `(${state}_images > 0)::integer - (old_${state}_images > 0)::integer AS ${state}_places`;

/** Counts `changes`, and selects the cells that are empty then. */
const countMany = `'WITH change AS (' || changes || '),
      moved AS MATERIALIZED (
        SELECT user_id, location, map_cell(location) AS cell, max(uploaded_at) AS uploaded_at,
               ${stateChange('active', 'deleted_at IS NULL')},
               ${stateChange('trashed', 'deleted_at IS NOT NULL')}
        FROM change
        WHERE user_id IN (SELECT id FROM users)
        GROUP BY user_id, location
      ),
      counted AS MATERIALIZED (
        SELECT m.user_id, m.cell, m.location, ${stateOf('active')}, ${stateOf('trashed')},
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
      summed AS (
        INSERT INTO map_cells AS c (user_id, zoom, cell, x, y, ${sums.join(', ')})
        SELECT user_id, zoom, cell, x, y, ${each(sums, (s) => `sum(${s})`)}
        FROM (
          SELECT user_id, zoom, ${cellOf('cell', 'location')},
                 (active_images + trashed_images > 0)::integer
                   - (old_active_images + old_trashed_images > 0)::integer AS places,
                 ${there('active')}, ${there('trashed')},
                 ${each(placeSums, (s) => `more_${s} AS ${s}`)}
          FROM counted CROSS JOIN unnest(${zooms}) AS zoom
        ) AS change
        GROUP BY user_id, zoom, cell, x, y
        ${addToCells}
        RETURNING c.*
      )
      SELECT array_agg(c::map_cells) FROM summed c WHERE places = 0'`;

// Named to run after account_for_images and count_in_ranges. EXECUTE plans for as many rows as there
// are this time; one row, like an upload, goes without. The images of a user that is being deleted
// count nowhere: the user's places and cells go by themselves.
export const keeping = `
  CREATE FUNCTION keep_places() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    facts CONSTANT text := '${facts}';
    gone images;
    come images;
    rows integer;
    changes text;
    empty_cells map_cells[];
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
      EXECUTE ${countMany}
        INTO empty_cells;
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
