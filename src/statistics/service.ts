import type { Queryable } from '../database/sql.js';
import { invalidField } from '../errors/catalogue.js';
import { RawJson } from '../paging/raw-json.js';
import { selectDays, selectTotal } from './ledger-queries.js';
import type { DayStatistics, Range, Statistics } from './schemas.js';
import { toRecord } from './record.js';
import { dayMs } from '../units.js';

const maxDays = 3_660;

/** Usage of platforms, exact at any moment: rolled-up days plus the remaining ledger. */
export class UsageStatistics {
  constructor(
    private readonly db: Queryable,
    /** IANA time zone that days are reported in. */
    private readonly zone: string,
  ) {}

  /** One entry for every day of the range up to today. */
  async days(platformId: string, range: Range): Promise<RawJson<DayStatistics>> {
    const { start_date: start, end_date: end, sort_order: order } = range;
    const days = (Date.parse(end) - Date.parse(start)) / dayMs + 1;
    if (days < 1) throw invalidField('end_date', 'start_date or later');
    if (days > maxDays) throw invalidField('end_date', `within ${maxDays} days of start_date`);
    const text = await selectDays(this.db, { platformId, zone: this.zone, start, end, order });
    return new RawJson(Buffer.from(text));
  }

  /** Counts since the beginning, current states. */
  async total(platformId: string): Promise<Statistics> {
    const total = await selectTotal(this.db, platformId, this.zone);
    if (!total) throw new Error('a sum returned no row');
    return toRecord(total);
  }
}
