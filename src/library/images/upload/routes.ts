import { uploadOperation, type Operation } from '../../../http/operation.js';
import type { Usage } from '../../quota/usage.js';
import type { WallClock } from '../../../base/time.js';
import { imageRecord } from '../schemas.js';
import type { Images } from '../images.js';
import { filedataFields, uploadFields } from './schemas.js';
import { ownerIn, type Uploads } from './uploads.js';

export interface UploadRouteParts {
  readonly images: Images;
  readonly uploads: Uploads;
  readonly usage: Usage;
  readonly clock: WallClock;
}

const images = '/api/v1/users/:user_id/images' as const;

export const uploadOperations = (parts: UploadRouteParts): Operation[] => [
  uploadOperation(
    {
      id: 'uploadImage',
      allow: ['upload'],
      method: 'post',
      path: images,
      scheme: 'User',
      summary: 'Upload an image',
      body: uploadFields(parts.clock),
      upload: {
        part: 'image_data',
        before: ({ path, caller }) =>
          parts.usage
            .assertQuota(path.user_id)
            .catch((error: unknown) => parts.uploads.refused(ownerIn(caller), error)),
        beforeFile: ({ path }, { input, hash }) =>
          parts.uploads.assertExpected(path.user_id, input, hash),
      },
      result: imageRecord,
      errors: [
        ...(['folder_not_found', 'folder_in_trash', 'too_much_text'] as const),
        ...(['upload_set_not_found', 'not_expected'] as const),
      ],
    },
    async ({ caller, input, resolveUrl }, file) =>
      parts.images.stored(await parts.uploads.create(ownerIn(caller), input, file), resolveUrl),
  ),
  uploadOperation(
    {
      id: 'addFiledata',
      allow: ['upload'],
      method: 'post',
      path: `${images}/:image_id/filedata`,
      scheme: 'User',
      summary: 'Upload an edited version of an image',
      body: filedataFields,
      upload: {
        part: 'image_data',
        before: async ({ path }) => {
          await parts.uploads.assertEditable(path.user_id, path.image_id);
          return parts.usage.assertQuota(path.user_id, 0);
        },
      },
      result: imageRecord,
      errors: ['image_not_found', 'image_in_trash'],
    },
    async ({ caller, path, input, resolveUrl }, file) => {
      const row = await parts.uploads.addVersion(ownerIn(caller), path.image_id, input, file);
      return parts.images.record(row, { history: true }, resolveUrl);
    },
  ),
];
