import type { Queryable } from '../../database/sql.js';
import { validate as isUuid } from 'uuid';
import { invalidField, ServiceError } from '../../base/errors/catalogue.js';
import { RawJson } from '../../http/paging/raw-json.js';
import { platformExists, selectPlatformTotals, selectDays, selectTotal } from './ledger.sql.js';
import type { AllRange, AllStatistics, DayStatistics, Range, Statistics } from './schemas.js';
import { dayMs } from '../../base/units.js';

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
  async days(platformId: string, range: Range): Promise<RawJson<DayStatistics>> {
    const text = await selectDays(this.db, { platformId, zone: this.zone, ...checked(range) });
    return new RawJson(Buffer.from(text));
  }

  /** Counts since the beginning, current states. */
  async total(platformId: string): Promise<Statistics> {
    const total = await selectTotal(this.db, platformId, this.zone);
    if (!total) throw new Error('a sum returned no row');
    return total.stats;
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
    if (!total) throw new Error('a sum returned no row');
    return {
      days: JSON.parse(days) as DayStatistics[],
      total: total.stats,
      platforms,
    };
  }
}

/** @throws ServiceError `invalid_field` for a range that ends before it begins, or is too long. */
function checked({ start_date: start, end_date: end, sort_order: order }: Range) {
  const days = (Date.parse(end) - Date.parse(start)) / dayMs + 1;
  if (days < 1) throw invalidField('end_date', 'start_date or later');
  if (days > maxDays) throw invalidField('end_date', `within ${maxDays} days of start_date`);
  return { start, end, order };
}
