import { row, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import { allEvents } from './ledger.sql.js';
import type { Days } from './ledger.sql.js';
import { counts, each, states } from './metrics.js';
import type { Metrics } from './metrics.js';

export interface PlatformMetrics extends Metrics {
  readonly platform_id: string;
  readonly platform: string;
}

/**
 * The counts of each platform in a range and its states at the end of the range, for the platforms
 * that store most.
 */
const platformsSql = `
  WITH event AS (${allEvents})
  SELECT p.id AS platform_id, p.name AS platform,
         ${each(counts, (c) => `coalesce(sum(${c}) FILTER (WHERE day >= $3::date), 0)::bigint AS ${c}`)},
         ${each(states, (s) => `coalesce(sum(${s}), 0)::bigint AS ${s}`)}
  FROM platforms p LEFT JOIN event ON event.platform_id = p.id AND day <= $4::date
  GROUP BY p.id ORDER BY stored_bytes DESC, p.id LIMIT $5`;

export const selectPlatformTotals = (
  db: Queryable,
  { zone, start, end }: Omit<Days, 'platformId' | 'order'>,
  limit: number,
): Promise<PlatformMetrics[]> => rows(db, platformsSql, [null, zone, start, end, limit]);

export const platformExists = async (db: Queryable, id: string): Promise<boolean> =>
  (await row(db, 'SELECT FROM platforms WHERE id = $1', [id])) !== undefined;
