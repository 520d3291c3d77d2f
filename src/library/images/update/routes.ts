import { z } from 'zod';
import { assertFieldsAllowed } from '../../../http/auth/allow.js';
import { operation, type Operation } from '../../../http/operation.js';
import { imageRecord, includeOf } from '../schemas.js';
import type { Images } from '../images.js';
import type { BatchChanges } from './batch.js';
import { type Batch, batchFields, batchOf, batchResult } from './batch-fields.js';
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
  readonly batches: BatchChanges;
}

const images = '/api/v1/users/:user_id/images' as const;

/** Whether images of a batch are trashed, or deleted for good. */
const deletes = ({ changes }: Batch): boolean =>
  changes.some(({ trashed, purge }) => trashed === true || purge);

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
      id: 'changeImages',
      allow: ['change'],
      allowFields: {
        delete: { True: ['change', 'delete'] },
        purge: { True: ['change', 'delete'] },
      },
      method: 'post',
      path: `${images}/batch`,
      scheme: ['User', 'Platform'],
      ext: true,
      summary: `Change up to ${shareLimitText} images in one transaction, all or none`,
      body: batchFields,
      result: batchResult,
      errors: [
        'missing_field',
        'user_not_found',
        'image_not_found',
        'image_not_in_trash',
        'folder_not_found',
        'folder_in_trash',
        'custom_ambiguous',
        'too_many_memos',
        'too_many_customs',
        'too_much_text',
        'storage_quota_exceeded',
        'platform_limit_exceeded',
        'held',
      ],
    },
    async ({ path, input, caller, resolveUrl }) => {
      const owner = { userId: path.user_id, platformId: caller.platformId, actor: caller.scope };
      await parts.batches.assertOwn(owner);
      const batch = batchOf(input);
      if (deletes(batch)) assertFieldsAllowed(caller, { allow: ['delete'] }, {}, []);
      const changed = await parts.batches.run(owner, batch);
      return {
        count: batch.ids.length,
        changed: batch.ids.filter((id) => changed.has(id)),
        unchanged: batch.ids.filter((id) => !changed.has(id)),
        ...(input.with_records && {
          images: await parts.images.getMany(batch.ids, {}, resolveUrl),
        }),
      };
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
