import { entityOf, namesOf, now } from '../../database/columns.js';

/** Counts of events. */
const countColumns = {
  uploadCamera: { name: 'upload_camera', type: 'integer' },
  uploadGallery: { name: 'upload_gallery', type: 'integer' },
  uploadRequest: { name: 'upload_request', type: 'integer' },
  edits: { type: 'integer' },
  deletions: { type: 'integer' },
} as const;

/** Differences of a state: their sum up to a moment is the state at that moment. */
const stateColumns = {
  activeImages: { name: 'active_images', type: 'integer' },
  originalBytes: { name: 'original_bytes', type: 'bigint' },
  /** Originals, plus the latest edit of each edited image. */
  latestBytes: { name: 'latest_bytes', type: 'bigint' },
  storedBytes: { name: 'stored_bytes', type: 'bigint' },
} as const;

/** The ledger: append-only except for the mark, written by triggers (docs/adr/0003). */
const usageEventColumns = {
  id: { type: 'bigint', primary: true, generated: true },
  platformId: { name: 'platform_id', type: 'uuid' },
  userId: { name: 'user_id', type: 'uuid' },
  occurredAt: { name: 'occurred_at', type: 'timestamptz', default: now },
  ...countColumns,
  ...stateColumns,
  /** Whether it is included in daily_stats. */
  rolledUp: { name: 'rolled_up', type: 'boolean', default: false },
} as const;

/** The ledger summed per day of one time zone. */
const dailyStatsColumns = {
  platformId: { name: 'platform_id', type: 'uuid', primary: true },
  day: { type: 'date', primary: true },
  ...countColumns,
  ...stateColumns,
} as const;

export const UsageEventEntity = entityOf('usage_events', usageEventColumns);

export const DailyStatsEntity = entityOf('daily_stats', dailyStatsColumns);

/** A single row, created by the first roll-up. */
const rollUpColumns = {
  singleton: { type: 'boolean', primary: true, default: true },
  /** Of the days in daily_stats. */
  zone: { type: 'text' },
} as const;

export const RollUpEntity = entityOf('stats_roll_up', rollUpColumns);

/** The columns of a ledger row: counts, then differences of states. */
export const counts = namesOf(countColumns);
export const states = namesOf(stateColumns);
export const metrics = [...counts, ...states];

/** Counts, and the states at the end. */
export type Metrics = Readonly<Record<(typeof metrics)[number], number>>;

/** SQL for each of the given columns, joined by commas. */
export const each = (columns: readonly string[], sql: (column: string) => string): string =>
  columns.map(sql).join(', ');

export const columns = each(metrics, (f) => f);
// PostgreSQL sums int8 as numeric.
export const metricSums = each(metrics, (f) => `coalesce(sum(${f}), 0)::bigint AS ${f}`);
