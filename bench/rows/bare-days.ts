const counts = ['upload_camera', 'upload_gallery', 'upload_request', 'edits', 'deletions'];
const states = ['active_images', 'original_bytes', 'latest_bytes', 'stored_bytes'];
const metrics = [...counts, ...states].join(', ');
const each = (names: readonly string[], write: (name: string) => string): string =>
  names.map((name) => `${write(name)} AS ${name}`).join(', ');

/**
 * Metrics by day: $1 platform, $2 time zone, $3 to $4 ISO dates. Written out instead of imported from
 * src/, so that the baseline stays the same when the service changes.
 */
export const bareDays = `
  WITH event AS (
    SELECT day, ${metrics} FROM daily_stats
    WHERE platform_id = $1 AND EXISTS (SELECT FROM stats_roll_up WHERE zone = $2::text)
    UNION ALL
    SELECT (occurred_at AT TIME ZONE $2::text)::date, ${metrics} FROM usage_events
    WHERE platform_id = $1 AND NOT rolled_up
    UNION ALL
    SELECT (occurred_at AT TIME ZONE $2::text)::date, ${metrics} FROM usage_events
    WHERE platform_id = $1 AND rolled_up
      AND NOT EXISTS (SELECT FROM stats_roll_up WHERE zone = $2::text)),
  moved AS (
    SELECT greatest(day, $3::date - 1) AS day,
           ${each([...counts, ...states], (one) => `coalesce(sum(${one}), 0)::bigint`)}
    FROM event WHERE day <= $4::date GROUP BY 1
  ),
  calendar AS (
    SELECT $3::date + n AS day
    FROM generate_series(-1, least($4::date, (now() AT TIME ZONE $2::text)::date) - $3::date) n
  ),
  reported AS (
    SELECT day, ${each(counts, (one) => `coalesce(${one}, 0)`)},
           ${each(states, (one) => `coalesce(sum(${one}) OVER (ORDER BY day), 0)::bigint`)}
    FROM calendar LEFT JOIN moved USING (day)
  )
  SELECT to_char(day, 'YYYYMMDD')::int AS date, ${metrics} FROM reported
  WHERE day >= $3::date ORDER BY day ASC`;

/** Gives a platform days to report. @param $1 platform. */
export const seedDays = `
  INSERT INTO daily_stats (platform_id, day, ${metrics})
  SELECT $1, day, ${metrics
    .split(', ')
    .map((_, n) => n + 1)
    .join(', ')}
  FROM generate_series($2::date, $3::date, '1 day') AS day
  ON CONFLICT DO NOTHING`;
