import { z } from 'zod';
import { id } from '../http/record-fields.js';

export const deletedUser = z.object({
  user_id: id,
  deleted_folders: z.int(),
  deleted_images: z.int(),
});
export type DeletedUser = z.output<typeof deletedUser>;
