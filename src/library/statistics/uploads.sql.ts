import { rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';

export interface DayOfUploads {
  /** YYYYMMDD. */
  readonly date: number;
  readonly uploads: number;
  /** Change of the stored bytes during the day; may be negative. */
  readonly grownBytes: number;
}

/**
 * Uploads of all platforms on each of the last days, today included: $1 time zone, $2 days. Uses
 * the rolled-up days and later events; days rolled up for another time zone keep its boundaries.
 */
const lastDays = `
  WITH calendar AS (
    SELECT (now() AT TIME ZONE $1::text)::date - n AS day FROM generate_series(0, $2::int - 1) n
  ),
  event AS (
    SELECT day, upload_camera + upload_gallery + upload_request AS uploads, stored_bytes
    FROM daily_stats WHERE day >= (now() AT TIME ZONE $1::text)::date - $2::int
    UNION ALL
    SELECT (occurred_at AT TIME ZONE $1::text)::date,
           upload_camera + upload_gallery + upload_request, stored_bytes
    FROM usage_events WHERE NOT rolled_up
  )
  SELECT to_char(day, 'YYYYMMDD')::int AS date, coalesce(sum(uploads), 0)::int AS uploads,
         coalesce(sum(stored_bytes), 0)::bigint AS "grownBytes"
  FROM calendar LEFT JOIN event USING (day) GROUP BY day ORDER BY day`;

export const selectLastDays = (
  db: Queryable,
  zone: string,
  days: number,
): Promise<DayOfUploads[]> => rows(db, lastDays, [zone, days]);
