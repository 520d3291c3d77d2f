import { z } from 'zod';
import { operation } from '../../../http/operation.js';
import type { Operation } from '../../../http/operation.js';
import type { WallClock } from '../../../base/time.js';
import { filterOf } from '../list/filter.js';
import { formats } from './formats.js';
import { asList, exportQuery } from './schemas.js';
import type { ImageExports } from './service.js';

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
