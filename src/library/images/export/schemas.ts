import type { z } from 'zod';
import { oneOf } from '../../../http/request-fields.js';
import type { WallClock } from '../../../base/time.js';
import { listQuery } from '../list/schemas.js';
import type { ListQuery } from '../list/schemas.js';
import { bbox } from '../map/schemas.js';
import type { formats } from './formats.js';

const formatNames = ['geojson', 'csv', 'ndjson'] as const satisfies (keyof typeof formats)[];

/** The filters of the list, an area, and a format. */
export const exportQuery = (clock: WallClock) =>
  listQuery(clock)
    .pick({
      has_delete_at: true,
      has_det: true,
      search_type: true,
      search: true,
      days_or_date_range: true,
      days_range: true,
      search_date_by: true,
      start_date: true,
      end_date: true,
      date: true,
    })
    .extend({ format: oneOf(formatNames), bbox: bbox.optional() });
export type ExportQuery = z.output<ReturnType<typeof exportQuery>>;

/** The equivalent list query. */
export const asList = (query: ExportQuery): ListQuery => ({
  ...query,
  view_type: 'grid',
  with_history: false,
  last_index: 0,
  page_size: 1,
});
