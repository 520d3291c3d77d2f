import { operation, uploadOperation } from '../http/operation.js';
import type { Operation } from '../http/operation.js';
import type { Claims } from '../auth/claims.js';
import type { WallClock } from '../time.js';
import type { Usage } from '../quota/usage.js';
import { imageCount, imageQuery, imageRecord, trashFilter, uploadFields } from './schemas.js';
import type { Images } from './service.js';
import type { Owner, Uploads } from './upload/service.js';

export interface ImageParts {
  readonly images: Images;
  readonly uploads: Uploads;
  readonly usage: Usage;
  readonly clock: WallClock;
}

const images = '/api/v1/users/:user_id/images' as const;
const image = `${images}/:image_id` as const;

/** The ids in a user token. */
const ownerOf = ({ platformId = '', userId = '' }: Claims): Owner => ({ platformId, userId });

/** What the `with_…` fields request. */
export const includeOf = (input: {
  with_memo?: boolean | null;
  with_custom?: boolean | null;
  with_history?: boolean;
}) => ({
  memos: input.with_memo === true,
  customs: input.with_custom === true,
  history: input.with_history === true,
});

export const imageOperations = (parts: ImageParts): Operation[] => [
  uploadOperation(
    {
      id: 'uploadImage',
      method: 'post',
      path: images,
      scheme: 'User',
      summary: 'Upload an image',
      body: uploadFields(parts.clock),
      upload: {
        part: 'image_data',
        before: ({ path }) => parts.usage.assertQuota(path.user_id),
      },
      result: imageRecord,
      errors: ['folder_not_found', 'folder_in_trash', 'too_much_text'],
    },
    async ({ caller, path, input, resolveUrl }, file) => {
      const id = await parts.uploads.create(ownerOf(caller), input, file);
      const include = { memos: Boolean(input.message), history: true };
      return parts.images.get(path.user_id, id, include, resolveUrl);
    },
  ),
  operation(
    {
      id: 'countImages',
      method: 'get',
      path: `${images}/count`,
      scheme: 'User',
      summary: 'Count the images of the user, by default outside the trash',
      query: trashFilter,
      result: imageCount,
      errors: ['user_not_found'],
    },
    async ({ path, input }) => {
      const { has_delete_at: trash } = input;
      return { count: await parts.images.count(path.user_id, trash === undefined ? false : trash) };
    },
  ),
  operation(
    {
      id: 'getImage',
      method: 'get',
      path: image,
      scheme: 'User',
      summary: 'Get one image',
      query: imageQuery,
      result: imageRecord,
      errors: ['image_not_found'],
    },
    ({ path, input, resolveUrl }) =>
      parts.images.get(path.user_id, path.image_id, includeOf(input), resolveUrl),
  ),
  uploadOperation(
    {
      id: 'addFiledata',
      method: 'post',
      path: `${image}/filedata`,
      scheme: 'User',
      summary: 'Upload an edited version of an image',
      upload: {
        part: 'image_data',
        before: async ({ path }) => {
          await parts.uploads.assertEditable(path.user_id, path.image_id);
          return parts.usage.assertQuota(path.user_id);
        },
      },
      result: imageRecord,
      errors: ['image_not_found', 'image_in_trash'],
    },
    async ({ caller, path, resolveUrl }, file) => {
      await parts.uploads.addVersion(ownerOf(caller), path.image_id, file);
      return parts.images.get(path.user_id, path.image_id, { history: true }, resolveUrl);
    },
  ),
];
