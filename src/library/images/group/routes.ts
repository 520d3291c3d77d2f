import { indexedFields, numberedFields } from '../../../http/paging/pages.js';
import { operation, type Operation } from '../../../http/operation.js';
import { indexOfPage } from '../../../http/request-fields.js';
import type { ImageGroups } from './image-groups.js';
import { includeOf } from '../schemas.js';
import { groupQuery, groupResult, pagedGroupQuery, pagedGroupResult } from './schemas.js';

const base = '/api/v1/users/:user_id/images/group' as const;

const common = {
  allow: ['read'],
  method: 'get',
  scheme: 'User',
  errors: ['missing_field', 'invalid_cursor'],
} as const;

export const imageGroupOperations = (groups: ImageGroups): Operation[] => [
  operation(
    {
      ...common,
      id: 'groupImages',
      path: base,
      summary: 'List images around a point, images at a location, or the locations; by index',
      query: groupQuery,
      result: groupResult,
    },
    async ({ path, input, resolveUrl }) => {
      const wanted = { userId: path.user_id, fields: input, index: input.last_index };
      const { page, matches } = await groups.read(wanted, includeOf(input), resolveUrl);
      return { ...indexedFields(page), ...matches };
    },
  ),
  operation(
    {
      ...common,
      id: 'groupImagesPaged',
      path: `${base}/paged`,
      summary: 'List images around a point, images at a location, or the locations; by page number',
      query: pagedGroupQuery,
      result: pagedGroupResult,
    },
    async ({ path, input, resolveUrl }) => {
      const index = indexOfPage(input.page, input.page_size);
      const wanted = { userId: path.user_id, fields: input, index };
      const { page, matches } = await groups.read(wanted, includeOf(input), resolveUrl);
      return { ...numberedFields(page, input), ...matches };
    },
  ),
];
