import { z } from 'zod';
import { operation, type Operation } from '../../../http/operation.js';
import type { WallClock } from '../../../base/time.js';
import type { Archives } from '../archive/archive.js';
import { filterOf, isDownload, listIdentity, imageDays, imageList, listQuery } from './schemas.js';
import type { ImageLists } from './service.js';
import { includeOf } from '../routes.js';

export interface ListParts {
  readonly lists: ImageLists;
  readonly archives: Archives;
  readonly clock: WallClock;
}

export const imageListOperations = ({ lists, archives, clock }: ListParts): Operation[] => [
  operation(
    {
      id: 'listImages',
      method: 'get',
      path: '/api/v1/users/:user_id/images',
      scheme: 'User',
      summary: 'List images as a grid, a list, by day, or by distance; or download them as a ZIP',
      query: listQuery(clock),
      result: z.union([imageList, imageDays]),
      stream: 'application/zip',
      ranges: true,
      errors: ['missing_field', 'user_not_found'],
    },
    async ({ path, caller, input, resolveUrl }) => {
      const userId = path.user_id;
      const filter = filterOf(input, clock);
      const include = includeOf(input);
      if (isDownload(input)) return archives.of(userId, filter, include, resolveUrl);
      const { last_index: index, page_size: size } = input;
      const wanted = { userId, filter, token: caller.jti, list: listIdentity(input), index, size };
      return input.view_type === 'grid_sep'
        ? lists.days(wanted, include, resolveUrl)
        : lists.page(wanted, include, resolveUrl);
    },
  ),
];
