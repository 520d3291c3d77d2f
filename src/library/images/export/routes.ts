import { z } from 'zod';
import type { WallClock } from '../../../base/time.js';
import { operation, type Operation } from '../../../http/operation.js';
import { oneOf } from '../../../http/request-fields.js';
import { filterOf, listQuery, type ListQuery } from '../list/schemas.js';
import { bbox } from '../map/schemas.js';
import { formats } from './formats.js';
import type { ImageExports } from './service.js';

const formatNames = ['geojson', 'csv', 'ndjson'] as const satisfies (keyof typeof formats)[];

/** The filters of the list, an area, and a format. */
const exportQuery = (clock: WallClock) =>
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
type ExportQuery = z.output<ReturnType<typeof exportQuery>>;

/** The equivalent list query. */
const asList = (query: ExportQuery): ListQuery => ({
  ...query,
  view_type: 'grid',
  with_history: false,
  last_index: 0,
  page_size: 1,
});

export interface ExportRouteParts {
  readonly exports: ImageExports;
  readonly clock: WallClock;
}

export const imageExportOperations = ({ exports, clock }: ExportRouteParts): Operation[] => [
  operation(
    {
      id: 'exportImages',
      method: 'get',
      path: '/api/v1/users/:user_id/images/export',
      scheme: 'User',
      ext: true,
      bare: true,
      summary: 'Get all images of a list as GeoJSON, CSV or lines of JSON, newest first',
      query: exportQuery(clock),
      result: z.string().meta({ format: 'binary' }),
      stream: Object.values(formats).map(({ type }) => type),
      errors: ['missing_field'],
    },
    ({ path, input, resolveUrl }) => {
      const filter = filterOf(asList(input), clock);
      const format = formats[input.format];
      const wanted = { userId: path.user_id, filter, box: input.bbox, format };
      return Promise.resolve(exports.of(wanted, resolveUrl));
    },
  ),
];
