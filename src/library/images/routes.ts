import { operation } from '../../http/operation.js';
import type { Operation } from '../../http/operation.js';
import { imageCount, imageQuery, imageRecord, trashFilter } from './schemas.js';
import type { Images } from './service.js';

const base = '/api/v1/users/:user_id/images' as const;

/** The includes requested by the `with_…` fields. */
export const includeOf = (input: {
  with_memo?: boolean | null;
  with_custom?: boolean | null;
  with_history?: boolean;
}) => ({
  memos: input.with_memo === true,
  customs: input.with_custom === true,
  history: input.with_history === true,
});

export const imageOperations = (images: Images): Operation[] => [
  operation(
    {
      id: 'countImages',
      method: 'get',
      path: `${base}/count`,
      scheme: 'User',
      summary: 'Count the images of the user, by default outside the trash',
      query: trashFilter,
      result: imageCount,
      errors: ['user_not_found'],
    },
    async ({ path, input }) => {
      const { has_delete_at: trash } = input;
      return { count: await images.count(path.user_id, trash === undefined ? false : trash) };
    },
  ),
  operation(
    {
      id: 'getImage',
      method: 'get',
      path: `${base}/:image_id`,
      scheme: 'User',
      summary: 'Get one image',
      query: imageQuery,
      result: imageRecord,
      errors: ['image_not_found'],
    },
    ({ path, input, resolveUrl }) =>
      images.get(path.user_id, path.image_id, includeOf(input), resolveUrl),
  ),
];
