import { validate as isUuid } from 'uuid';
import { invalidField, ServiceError } from '../../base/errors/catalogue.js';
import { dayMs } from '../../base/units.js';
import { type Queryable, rows } from '../../database/sql.js';
import { RawJson } from '../../http/paging/batches.js';
import { platformExists, selectDays, selectPlatformTotals, selectTotal } from './ledger.sql.js';
import type { AllRange, AllStatistics, DayStatistics, Range, Statistics } from './schemas.js';

const maxDays = 3_660;

/** Maximum number of platforms that are listed individually. */
const maxPlatforms = 1_000;

/** Usage of platforms, exact at any moment: rolled-up days plus the remaining ledger. */
export class UsageStatistics {
  constructor(
    private readonly db: Queryable,
    /** IANA time zone that days are reported in. */
    private readonly zone: string,
  ) {}

  /** One entry for every day of the range up to today. */
  async days(platformId: string, range: Range): Promise<RawJson<DayStatistics[]>> {
    const text = await selectDays(this.db, { platformId, zone: this.zone, ...checked(range) });
    return new RawJson(Buffer.from(text));
  }

  /** Counts since the beginning, current states. */
  total(platformId: string): Promise<Statistics> {
    return selectTotal(this.db, platformId, this.zone);
  }

  /**
   * The same for all platforms together or for one, and for each platform in the range.
   * @throws ServiceError `platform_not_found`.
   */
  async ofAll({ platform_id: only, ...range }: AllRange): Promise<AllStatistics> {
    if (only !== undefined && !(isUuid(only) && (await platformExists(this.db, only)))) {
      throw new ServiceError('platform_not_found');
    }
    const wanted = { platformId: only ?? null, zone: this.zone, ...checked(range) };
    const [days, total, platforms] = await Promise.all([
      selectDays(this.db, wanted),
      selectTotal(this.db, wanted.platformId, this.zone),
      selectPlatformTotals(this.db, wanted, maxPlatforms),
    ]);
    return { days: JSON.parse(days) as DayStatistics[], total, platforms };
  }
}

/** @throws ServiceError `invalid_field` for a range that ends before it begins, or is too long. */
function checked({ start_date: start, end_date: end, sort_order: order }: Range) {
  const days = (Date.parse(end) - Date.parse(start)) / dayMs + 1;
  if (days < 1) throw invalidField('end_date', 'start_date or later');
  if (days > maxDays) throw invalidField('end_date', `within ${maxDays} days of start_date`);
  return { start, end, order };
}

interface DayOfUploads {
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
const lastDaysSql = `
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

/** Uploads of all platforms on each of the last days. */
export const lastDays = (db: Queryable, zone: string, days: number): Promise<DayOfUploads[]> =>
  rows(db, lastDaysSql, [zone, days]);

interface PlatformTotal {
  readonly id: string | null;
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
    SELECT p.id, p.name, coalesce(t.images, 0) AS images, coalesce(t.bytes, 0) AS bytes,
           row_number() OVER (ORDER BY coalesce(t.bytes, 0) DESC, p.id) <= $1 AS alone
    FROM platforms p LEFT JOIN total t ON t.platform_id = p.id
  )
  SELECT CASE WHEN alone THEN id END AS id, CASE WHEN alone THEN name END AS name, count(*)::int AS platforms,
         sum(images)::bigint AS images, sum(bytes)::bigint AS bytes
  FROM ranked GROUP BY 1, 2`;

/** The platforms that store most, one row each, and all others in one row. */
export const largestPlatforms = (db: Queryable, alone: number): Promise<PlatformTotal[]> =>
  rows(db, largest, [alone]);
