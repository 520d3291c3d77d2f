import { EntitySchema } from 'typeorm';
import { reference } from '../../../database/table.js';
import type { RowOf } from '../../../database/table.js';

/** Numbers of images and the bytes of their current versions, in and out of the trash. */
export const totalColumns = {
  activeImages: { name: 'active_images', type: 'integer', default: 0 },
  trashedImages: { name: 'trashed_images', type: 'integer', default: 0 },
  activeBytes: { name: 'active_bytes', type: 'bigint', default: 0 },
  trashedBytes: { name: 'trashed_bytes', type: 'bigint', default: 0 },
} as const;

/** The states by which a user's totals are kept. */
export const imageTotalKey = {
  userId: { name: 'user_id', type: 'uuid', primary: true },
  /** `true`, `false`, or `none`. */
  hasDet: { name: 'has_det', type: 'text', primary: true },
  located: { type: 'boolean', primary: true },
  inFolder: { name: 'in_folder', type: 'boolean', primary: true },
} as const;

const imageTotalColumns = { ...imageTotalKey, ...totalColumns } as const;

/** Kept by triggers on images (docs/adr/0004). */
export const ImageTotalEntity = new EntitySchema<RowOf<typeof imageTotalColumns>>({
  name: 'image_total',
  tableName: 'image_totals',
  columns: imageTotalColumns,
  foreignKeys: [reference('image_totals_user_id_fkey', 'users', { userId: 'id' })],
});

const folderTotalColumns = {
  folderId: { name: 'folder_id', type: 'uuid', primary: true },
  userId: { name: 'user_id', type: 'uuid' },
  ...totalColumns,
} as const;

/** Totals of the images directly in a folder; kept by triggers on images (docs/adr/0004). */
export const FolderTotalEntity = new EntitySchema<RowOf<typeof folderTotalColumns>>({
  name: 'folder_total',
  tableName: 'folder_totals',
  columns: folderTotalColumns,
  foreignKeys: [
    reference('folder_totals_folder_id_user_id_fkey', 'folders', {
      folderId: 'id',
      userId: 'userId',
    }),
  ],
});
