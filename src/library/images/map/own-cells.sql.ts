import type { MapOwner } from './schemas.js';

// The cells of a map's owner, and clusters of them, as SQL. The owner is `$1`. A user's are kept exact;
// a platform's are sums that a job makes, and the changes since then (docs/adr/0013).

/** Cells of a kept zoom, the end exclusive; all of them SQL. */
interface KeptRange {
  readonly zoom: string;
  readonly from: string;
  readonly to: string;
}

/** The cells with images in a range: as in map_cells, without their user. */
export const ownCells = (owner: MapOwner, range: KeptRange): string =>
  owner.kind === 'users' ? userCells(range) : platformCells(range);

const userCells = ({ zoom, from, to }: KeptRange): string => `
  SELECT k.zoom, k.cell, k.x, k.y, k.places, k.active_images, k.active_at, k.active_id, k.active_cell
  FROM map_cells k
  WHERE k.user_id = $1 AND k.zoom = ${zoom} AND k.cell >= ${from} AND k.cell < ${to}
    AND k.active_images > 0`;

/** Their newest images may be gone: see `clustersOf`. There are no more places than images. */
const platformCells = ({ zoom, from, to }: KeptRange): string => `
  SELECT c.zoom, c.cell, c.x, c.y, c.active_images AS places, c.active_images, c.active_at,
         c.active_id, c.active_cell
  FROM (
    SELECT DISTINCT ON (c.cell) c.zoom, c.cell, c.x, c.y, c.active_at, c.active_id, c.active_cell,
           (sum(c.active_images) OVER (PARTITION BY c.cell))::integer AS active_images
    FROM (
      SELECT k.zoom, k.cell, k.x, k.y, k.active_images, k.active_at, k.active_id, k.active_cell
      FROM platform_cells k
      WHERE k.platform_id = $1 AND k.zoom = ${zoom} AND k.cell >= ${from} AND k.cell < ${to}
      UNION ALL
      SELECT ${zoom}, h.cell >> (52 - 2 * (${zoom})) << (52 - 2 * (${zoom})),
             gather_bits(h.cell) >> (26 - (${zoom})), gather_bits(h.cell >> 1) >> (26 - (${zoom})),
             h.active_images, h.active_at, h.active_id, h.cell
      FROM platform_cell_changes h
      WHERE h.platform_id = $1 AND h.cell >= ${from} AND h.cell < ${to}
    ) AS c
    ORDER BY c.cell, c.active_at DESC NULLS LAST, c.active_id DESC
  ) AS c
  WHERE c.active_images > 0`;

/** The users with images in a cell. @param of alias of its row. */
export const usersIn = ({ kind }: MapOwner, of: string): string =>
  kind === 'users'
    ? 'SELECT $1::uuid AS user_id'
    : `SELECT m.user_id FROM map_cells m
       WHERE m.platform_id = $1 AND m.zoom = ${of}.zoom AND m.cell = ${of}.cell AND m.active_images > 0`;

/**
 * The clusters among cells: their count, and the newest image.
 * @param parts SQL of rows with `grid`, `images`, and the newest image: of a cell at a `zoom`, or of
 *   a place in it, which has the `user_id`.
 */
export const clustersOf = (owner: MapOwner, parts: string): string =>
  owner.kind === 'users'
    ? `SELECT c.grid, c.count, c.active_at, c.active_id, c.active_cell, $1::uuid AS user_id
       FROM (${largest(parts)}) AS c`
    : platformClusters(parts);

const largest = (parts: string): string => `
  SELECT DISTINCT ON (c.grid) c.grid, (sum(c.images) OVER (PARTITION BY c.grid))::integer AS count,
         c.active_at, c.active_id, c.active_cell
  FROM (${parts}) AS c
  ORDER BY c.grid, c.active_at DESC NULLS LAST, c.active_id DESC`;

/**
 * The newest image of a platform's cell may be gone since it was noted, but none that has come is
 * missing. If the newest of all is still there, it is the newest; otherwise that of each user is looked
 * up, which is exact.
 */
const platformClusters = (parts: string): string => `
  WITH piece AS MATERIALIZED (${parts})
  SELECT c.grid, c.count, coalesce(noted.user_id, found.user_id) AS user_id,
         ${['active_at', 'active_id', 'active_cell']
           .map(
             (name) =>
               `CASE WHEN noted.user_id IS NULL THEN found.${name} ELSE c.${name} END AS ${name}`,
           )
           .join(', ')}
  FROM (${largest('SELECT * FROM piece')}) AS c
  LEFT JOIN LATERAL (
    SELECT i.user_id FROM images i
    WHERE i.id = c.active_id AND i.created_at = c.active_at AND i.deleted_at IS NULL
      AND map_cell(i.location) = c.active_cell
    OFFSET 0
  ) AS noted ON true
  LEFT JOIN LATERAL (
    SELECT n.* FROM piece p
    CROSS JOIN LATERAL (
      SELECT p.active_at, p.active_id, p.active_cell, p.user_id WHERE p.user_id IS NOT NULL
      UNION ALL
      SELECT k.active_at, k.active_id, k.active_cell, k.user_id FROM map_cells k
      WHERE p.user_id IS NULL AND k.platform_id = $1 AND k.zoom = p.zoom AND k.cell = p.cell
        AND k.active_images > 0
    ) AS n
    WHERE noted.user_id IS NULL AND p.grid = c.grid
    ORDER BY n.active_at DESC, n.active_id DESC LIMIT 1
  ) AS found ON true`;
