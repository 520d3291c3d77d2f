import { z } from 'zod';
import type { Claims } from '../../http/auth/claims.js';
import { id } from '../../http/record-fields.js';
import { operation, type Operation } from '../../http/operation.js';
import type { Trash } from './trash.js';

const emptiedTrash = z
  .object({
    deleted_images: z.int(),
    deleted_folders: z.int(),
    remaining_images: z.int().meta({ description: 'images still in the trash' }),
    remaining_folders: z.int(),
    hold_ids: z.array(id).meta({ description: 'holds that kept something in the trash' }),
  })
  .meta({ id: 'EmptiedTrash' });

const trash = '/api/v1/users/:user_id/trash' as const;
const common = {
  method: 'delete',
  scheme: ['User', 'Platform'],
  ext: true,
  result: emptiedTrash,
} as const;

/** The user of the path, whom the service checks against the platform of the caller. */
const ownerOf = (userId: string, { scope, platformId = '' }: Claims) => ({
  userId,
  platformId,
  actor: scope,
});

export const trashOperations = (contents: Trash): Operation[] => [
  operation(
    {
      ...common,
      id: 'emptyTrash',
      allow: ['delete'],
      path: trash,
      summary:
        'Permanently delete what is in the trash, some of it at a time; repeat until nothing is deleted',
      errors: ['user_not_found'],
    },
    ({ path, caller }) => contents.empty(ownerOf(path.user_id, caller)),
  ),
  operation(
    {
      ...common,
      id: 'deleteFromTrash',
      allow: ['delete'],
      path: `${trash}/:image_id`,
      summary: 'Permanently delete one image that is in the trash',
      errors: ['user_not_found', 'image_not_found', 'image_not_in_trash', 'held'],
    },
    ({ path, caller }) => contents.remove(ownerOf(path.user_id, caller), path.image_id),
  ),
];
