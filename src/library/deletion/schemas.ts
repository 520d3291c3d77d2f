import { z } from 'zod';
import { id } from '../../http/record-fields.js';

export const deletedUser = z
  .object({ user_id: id, deleted_folders: z.int(), deleted_images: z.int() })
  .meta({ id: 'DeletedUser' });
export type DeletedUser = z.output<typeof deletedUser>;
