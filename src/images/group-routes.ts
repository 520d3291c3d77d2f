import { operation } from '../http/operation.js';
import type { Operation } from '../http/operation.js';
import type { ImageGroups } from './groups.js';
import { extrasOf } from './routes.js';
import { groupQuery, groupResult, pagedGroupQuery, pagedGroupResult } from './group-schemas.js';

const group = '/api/v1/users/:user_id/images/group' as const;

export const imageGroupOperations = (groups: ImageGroups): Operation[] => [
  operation(
    {
      id: 'groupImages',
      method: 'get',
      path: group,
      scheme: 'User',
      summary: 'Images around a point, images of a place, or the places; by index',
      query: groupQuery,
      result: groupResult,
    },
    async ({ path, input, absolute }) => {
      const { last_index: offset, page_size: size } = input;
      const asked = { ...input, offset };
      const found = await groups.read(path.user_id, asked, extrasOf(input), absolute);
      return { ...found, last_index: offset + found.count, page_size: size };
    },
  ),
  operation(
    {
      id: 'groupImagesPaged',
      method: 'get',
      path: `${group}/paged`,
      scheme: 'User',
      summary: 'Images around a point, images of a place, or the places; by page number',
      query: pagedGroupQuery,
      result: pagedGroupResult,
    },
    async ({ path, input, absolute }) => {
      const { page, page_size: size } = input;
      const asked = { ...input, offset: (page - 1) * size };
      const found = await groups.read(path.user_id, asked, extrasOf(input), absolute);
      const pages = Math.ceil(found.total_count / size);
      return { ...found, page, page_size: size, total_pages: pages };
    },
  ),
];
