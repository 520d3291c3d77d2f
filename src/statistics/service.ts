import type { Queryable } from '../database/sql.js';
import { invalidField } from '../errors/catalogue.js';
import type { Metrics } from './metrics.js';
import { selectDays, selectTotal } from './ledger-queries.js';
import type { DayStatistics, Range, Statistics } from './schemas.js';
import { dayMs, toMegabytes } from '../units.js';

const maxDays = 3_660;

/** Usage of platforms, exact at any moment: rolled-up days plus the remaining ledger. */
export class UsageStatistics {
  constructor(
    private readonly db: Queryable,
    /** IANA time zone that days are reported in. */
    private readonly zone: string,
  ) {}

  /**
   * One entry for every day of the range up to today.
   * @throws ServiceError `invalid_field` for a range that ends before it starts or is too long.
   */
  async days(platformId: string, range: Range): Promise<DayStatistics[]> {
    const { start_date: start, end_date: end, sort_order: order } = range;
    const days = (Date.parse(end) - Date.parse(start)) / dayMs + 1;
    if (days < 1) throw invalidField('end_date', 'start_date or later');
    if (days > maxDays) throw invalidField('end_date', `within ${maxDays} days of start_date`);
    const rows = await selectDays(this.db, { platformId, zone: this.zone, start, end, order });
    return rows.map(({ date, ...metrics }) => ({ date, stats: record(metrics) }));
  }

  /** Counts since the beginning, current states. */
  async total(platformId: string): Promise<Statistics> {
    const total = await selectTotal(this.db, platformId, this.zone);
    if (!total) throw new Error('a sum returned no row');
    return record(total);
  }
}

const record = (f: Metrics): Statistics => ({
  upload_camera: f.upload_camera,
  upload_gallery: f.upload_gallery,
  upload_request: f.upload_request,
  total_upload: f.upload_camera + f.upload_gallery + f.upload_request,
  edit_count: f.edits,
  delete_count: f.deletions,
  total_images: f.active_images,
  org_filesize_mb: toMegabytes(f.original_bytes),
  org_latest_filesize_mb: toMegabytes(f.latest_bytes),
  total_filesize_mb: toMegabytes(f.stored_bytes),
});
