import { rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';

export interface PlatformTotal {
  /** Null for all others together. */
  readonly name: string | null;
  readonly platforms: number;
  readonly images: number;
  readonly bytes: number;
}

/**
 * The platforms that store most, one row each, and all others in one row: $1 number of single rows.
 * Uses the rolled-up days and later events; reads no images.
 */
const largest = `
  WITH event AS (
    SELECT platform_id, active_images, stored_bytes FROM daily_stats
    UNION ALL
    SELECT platform_id, active_images, stored_bytes FROM usage_events WHERE NOT rolled_up
  ),
  total AS (
    SELECT platform_id, sum(active_images) AS images, sum(stored_bytes) AS bytes
    FROM event GROUP BY platform_id
  ),
  ranked AS (
    SELECT p.name, coalesce(t.images, 0) AS images, coalesce(t.bytes, 0) AS bytes,
           row_number() OVER (ORDER BY coalesce(t.bytes, 0) DESC, p.id) <= $1 AS alone
    FROM platforms p LEFT JOIN total t ON t.platform_id = p.id
  )
  SELECT CASE WHEN alone THEN name END AS name, count(*)::int AS platforms,
         sum(images)::bigint AS images, sum(bytes)::bigint AS bytes
  FROM ranked GROUP BY 1`;

export const selectLargest = (db: Queryable, alone: number): Promise<PlatformTotal[]> =>
  rows(db, largest, [alone]);
