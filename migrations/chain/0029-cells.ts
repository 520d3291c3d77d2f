import { each, sums } from './0015-sums.js';

/** The zooms at which sums are kept. */
export const zooms = [0, 6, 9, 12, 15, 18, 21, 24] as const;
export const zoomArray = `ARRAY[${zooms.join(', ')}]`;

/** The newest image of a cell: when it was made, which one it is, and in which cell of zoom 26. */
export const newest = ['active_at', 'active_id', 'active_cell'];

// Made anew rather than altered, as every row changes. Readers have the former one until the end.
export const cells = `
  LOCK TABLE images IN SHARE ROW EXCLUSIVE MODE;

  CREATE TABLE new_map_cells (
    LIKE map_cells INCLUDING COMMENTS,
    platform_id uuid NOT NULL,
    active_at timestamptz,
    active_id uuid,
    active_cell bigint
  ) WITH (fillfactor = 80);
  DROP TABLE map_cells;
  ALTER TABLE new_map_cells RENAME TO map_cells;
  COMMENT ON TABLE map_cells IS 'sums of places by the tile zoom/x/y; zoom 0 has all of a user';
  COMMENT ON COLUMN map_cells.active_id IS
    'newest image that is not in the trash; made at active_at, in the cell active_cell of zoom 26';
`;

const [finest = 0, ...coarser] = zooms.toReversed();

/** Numbered by age in the cells that they add up to: the newest image of each is that of number 1. */
const summed = (zoom: number, columns: string, from: string): string => `
    INSERT INTO map_cells (user_id, platform_id, zoom, cell, x, y, ${sums.join(', ')},
                           ${newest.join(', ')})
    SELECT user_id, platform_id, ${zoom}, tile, x, y, ${each(sums, (s) => `sum(${s})`)},
           max(active_at) FILTER (WHERE nth = 1), (array_agg(active_id) FILTER (WHERE nth = 1))[1],
           max(active_cell) FILTER (WHERE nth = 1)
    FROM (
      SELECT ${columns}, row_number() OVER (
               PARTITION BY c.user_id, c.cell >> ${52 - 2 * zoom}
               ORDER BY c.active_at DESC NULLS LAST, c.active_id DESC) AS nth
      FROM ${from}
    ) AS numbered
    GROUP BY user_id, platform_id, tile, x, y;`;

const ofPlaces = `c.user_id, u.platform_id, c.cell >> ${52 - 2 * finest} << ${52 - 2 * finest} AS tile,
             map_x(c.location) >> ${26 - finest} AS x, map_y(c.location) >> ${26 - finest} AS y,
             1 AS places, (c.active_id IS NOT NULL)::integer AS active_places,
             (c.trashed_id IS NOT NULL)::integer AS trashed_places,
             ${each(sums.slice(3), (s) => `c.${s}`)}, c.active_at, c.active_id,
             CASE WHEN c.active_id IS NOT NULL THEN c.cell END AS active_cell`;

const ofCells = (zoom: number, finer: number): string =>
  `c.user_id, c.platform_id, c.cell >> ${52 - 2 * zoom} << ${52 - 2 * zoom} AS tile,
             c.x >> ${finer - zoom} AS x, c.y >> ${finer - zoom} AS y,
             ${each([...sums, ...newest], (s) => `c.${s}`)}`;

// Also what mends cells: see migrations/0029-map-tiles.ts.
export const filling = `
  CREATE FUNCTION fill_map_cells(who uuid[]) RETURNS void
  LANGUAGE plpgsql SET jit = off AS $function$
  BEGIN${summed(
    finest,
    ofPlaces,
    'places c JOIN users u ON u.id = c.user_id WHERE who IS NULL OR c.user_id = ANY (who)',
  )}${coarser
    .map((zoom, i) => {
      const finer = [finest, ...coarser][i] ?? finest;
      const condition = `c.zoom = ${finer} AND (who IS NULL OR c.user_id = ANY (who))`;
      return summed(zoom, ofCells(zoom, finer), `map_cells c WHERE ${condition}`);
    })
    .join('')}
  END $function$;
  COMMENT ON FUNCTION fill_map_cells IS
    'makes the cells of users that have none from their places; null: of all users';
`;

// After filling: checked at once, and not row by row. A platform's cells of a tile are one range, too.
export const keys = `
  ALTER TABLE map_cells ADD PRIMARY KEY (user_id, zoom, cell),
    ADD FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE;
  CREATE INDEX map_cells_platform ON map_cells (platform_id, zoom, cell);
`;

export { cellOf, each, sums } from './0015-sums.js';
