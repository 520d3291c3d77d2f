import { concatenation, type JsonPiece, megabytesPiece, sqlPiece } from '../../database/bulk.js';
import { exists, onlyValue, prepared, type Queryable, rows, value } from '../../database/sql.js';
import { columns, counts, each, states, metricSums, type Metrics } from './entity.js';
import type { AllStatistics, Statistics } from './schemas.js';

type Metric = keyof Metrics;

// The fields of the API, and the metrics that each of them sums.
const sums: Readonly<Record<keyof Statistics, readonly Metric[]>> = {
  upload_camera: ['upload_camera'],
  upload_gallery: ['upload_gallery'],
  upload_request: ['upload_request'],
  total_upload: ['upload_camera', 'upload_gallery', 'upload_request'],
  edit_count: ['edits'],
  delete_count: ['deletions'],
  total_images: ['active_images'],
  org_filesize_mb: ['original_bytes'],
  org_latest_filesize_mb: ['latest_bytes'],
  total_filesize_mb: ['stored_bytes'],
};
const fields = Object.entries(sums) as [keyof Statistics, readonly Metric[]][];
const isSize = (field: keyof Statistics): boolean => field.endsWith('_mb');

/** The API's record as JSON text: an SQL expression over columns named like the metrics. */
const recordJson = concatenation([
  ...fields.flatMap(([field, parts], n): JsonPiece[] => {
    const sum = parts.join(' + ');
    const value = isSize(field) ? megabytesPiece(sum) : sqlPiece(sum);
    return [`${n === 0 ? '{' : ','}"${field}":`, value];
  }),
  '}',
]);

/**
 * Everything that ever happened on a platform, by day: $1 platform, $2 time zone. A single
 * statement sees the roll-up and the ledger's marks in the same snapshot, so that each event counts
 * once. Days rolled up for another time zone are unusable; then the whole ledger is read.
 * @param of a condition on `platform_id`.
 */
const eventsOf = (of: string): string => `
  SELECT platform_id, day, ${columns} FROM daily_stats
  WHERE ${of} AND EXISTS (SELECT FROM stats_roll_up WHERE zone = $2::text)
  UNION ALL
  SELECT platform_id, (occurred_at AT TIME ZONE $2::text)::date, ${columns} FROM usage_events
  WHERE ${of} AND NOT rolled_up
  UNION ALL
  SELECT platform_id, (occurred_at AT TIME ZONE $2::text)::date, ${columns} FROM usage_events
  WHERE ${of} AND rolled_up
    AND NOT EXISTS (SELECT FROM stats_roll_up WHERE zone = $2::text)`;

const events = eventsOf('platform_id = $1');

/** The same of all platforms, where $1 is null. */
const allEvents = eventsOf('$1::uuid IS NULL');

interface Days {
  /** null: all platforms together. */
  readonly platformId: string | null;
  readonly zone: string;
  /** ISO dates, both inclusive. */
  readonly start: string;
  readonly end: string;
  readonly order: 'asc' | 'desc';
}

/**
 * Each day of the range up to today, as JSON text: that day's counts, and the states at its end.
 * Written by the database, since parsing and serializing hundreds of days took longer than summing.
 */
const daysSql = (order: Days['order'], of: string): string => `WITH event AS (${of}),
     -- All before the range is one day: that before its first.
     moved AS (
       SELECT greatest(day, $3::date - 1) AS day, ${metricSums} FROM event WHERE day <= $4::date GROUP BY 1
     ),
     calendar AS (
       SELECT $3::date + n AS day
       FROM generate_series(-1, least($4::date, (now() AT TIME ZONE $2::text)::date) - $3::date) n
     ),
     reported AS (
       SELECT day, ${each(counts, (c) => `coalesce(${c}, 0) AS ${c}`)},
              ${each(states, (s) => `coalesce(sum(${s}) OVER (ORDER BY day), 0)::bigint AS ${s}`)}
       FROM calendar LEFT JOIN moved USING (day)
     )
     SELECT '[' || coalesce(string_agg(
              concat('{"date":', to_char(day, 'YYYYMMDD')::int, ',"stats":', ${recordJson}, '}'),
              ',' ORDER BY day ${order}), '') || ']' AS days
     FROM reported WHERE day >= $3::date`;

const sqlOf = { asc: prepared(daysSql('asc', events)), desc: prepared(daysSql('desc', events)) };

export async function selectDays(
  db: Queryable,
  { platformId, zone, start, end, order }: Days,
): Promise<string> {
  const sql = platformId === null ? daysSql(order, allEvents) : sqlOf[order];
  return (await value<string>(db, sql, [platformId, zone, start, end])) ?? '[]';
}

/** Counts since the beginning, current states. */
export const selectTotal = (db: Queryable, platformId: string | null, zone: string) =>
  onlyValue<Statistics>(
    db,
    `SELECT (${recordJson})::json
     FROM (SELECT ${metricSums} FROM (${platformId === null ? allEvents : events}) event) AS total`,
    [platformId, zone],
  );

/**
 * The counts of each platform in a range and its states at the end of the range, for the platforms
 * that store most.
 */
const platformsSql = `
  WITH event AS (${allEvents}),
  total AS (
    SELECT p.id, p.name,
           ${each(counts, (c) => `coalesce(sum(${c}) FILTER (WHERE day >= $3::date), 0)::bigint AS ${c}`)},
           ${each(states, (s) => `coalesce(sum(${s}), 0)::bigint AS ${s}`)}
    FROM platforms p LEFT JOIN event ON event.platform_id = p.id AND day <= $4::date
    GROUP BY p.id
  )
  SELECT id AS platform_id, name AS platform, (${recordJson})::json AS stats
  FROM total ORDER BY stored_bytes DESC, id LIMIT $5`;

export const selectPlatformTotals = (
  db: Queryable,
  { zone, start, end }: Omit<Days, 'platformId' | 'order'>,
  limit: number,
): Promise<AllStatistics['platforms']> => rows(db, platformsSql, [null, zone, start, end, limit]);

export const platformExists = (db: Queryable, id: string) =>
  exists(db, 'SELECT FROM platforms WHERE id = $1', [id]);
