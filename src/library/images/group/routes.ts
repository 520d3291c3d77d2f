import { operation, type Operation } from '../../../http/operation.js';
import { indexOfPage } from '../../../http/request-fields.js';
import type { ImageGroups } from './service.js';
import { includeOf } from '../routes.js';
import { groupQuery, groupResult, pagedGroupQuery, pagedGroupResult } from './schemas.js';

const base = '/api/v1/users/:user_id/images/group' as const;

export const imageGroupOperations = (groups: ImageGroups): Operation[] => [
  operation(
    {
      id: 'groupImages',
      method: 'get',
      path: base,
      scheme: 'User',
      summary: 'List images around a point, images at a location, or the locations; by index',
      query: groupQuery,
      result: groupResult,
      errors: ['missing_field'],
    },
    async ({ path, caller, input, resolveUrl }) => {
      const { last_index: index, page_size: size } = input;
      const wanted = { userId: path.user_id, fields: input, token: caller.jti, index };
      const { group, next } = await groups.read(wanted, includeOf(input), resolveUrl);
      return { ...group, last_index: next, page_size: size };
    },
  ),
  operation(
    {
      id: 'groupImagesPaged',
      method: 'get',
      path: `${base}/paged`,
      scheme: 'User',
      summary: 'List images around a point, images at a location, or the locations; by page number',
      query: pagedGroupQuery,
      result: pagedGroupResult,
      errors: ['missing_field'],
    },
    async ({ path, caller, input, resolveUrl }) => {
      const { page, page_size: size } = input;
      const index = indexOfPage(page, size);
      const wanted = { userId: path.user_id, fields: input, token: caller.jti, index };
      const { group } = await groups.read(wanted, includeOf(input), resolveUrl);
      const pages = Math.ceil(group.total_count / size);
      return { ...group, page, page_size: size, total_pages: pages };
    },
  ),
];
