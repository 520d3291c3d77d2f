import { z } from 'zod';
import { operation, type Operation } from '../../../http/operation.js';
import { imageRecord, includeOf } from '../schemas.js';
import type { Images } from '../images.js';
import {
  type Sharing,
  changedImageQuery,
  shareFields,
  shareLimitText,
  updateFields,
  type ImageUpdates,
} from './image-updates.js';

export interface UpdateParts {
  readonly images: Images;
  readonly updates: ImageUpdates;
  readonly sharing: Sharing;
}

const images = '/api/v1/users/:user_id/images' as const;

export const imageUpdateOperations = (parts: UpdateParts): Operation[] => [
  operation(
    {
      id: 'shareImages',
      allow: ['change'],
      method: 'post',
      path: `${images}/share`,
      scheme: 'User',
      summary: `Share up to ${shareLimitText} images, all or none`,
      query: changedImageQuery,
      body: shareFields,
      result: z.array(imageRecord),
      errors: ['missing_field', 'user_not_found', 'image_not_found', 'image_in_trash'],
    },
    async ({ path, input, resolveUrl }) => {
      const { ids, changed } = await parts.sharing.share(path.user_id, input.image_ids);
      if (changed) return parts.images.amongSeveral(changed, includeOf(input), resolveUrl);
      return parts.images.getMany(ids, includeOf(input), resolveUrl);
    },
  ),
  operation(
    {
      id: 'updateImage',
      allow: ['change'],
      allowFields: { delete: { True: ['delete'] } },
      method: 'put',
      path: `${images}/:image_id`,
      scheme: 'User',
      summary: 'Move, trash, restore, or edit the details of an image',
      query: changedImageQuery,
      body: updateFields,
      result: imageRecord,
      errors: [
        'missing_field',
        'user_not_found',
        'image_not_found',
        'folder_not_found',
        'folder_in_trash',
      ],
    },
    async ({ path, input, resolveUrl }) => {
      const { user_id: userId, image_id: imageId } = path;
      const changed = await parts.updates.update(userId, imageId, input);
      return changed
        ? parts.images.record(changed, includeOf(input), resolveUrl)
        : parts.images.get(userId, imageId, includeOf(input), resolveUrl);
    },
  ),
];
