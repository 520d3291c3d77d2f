import { EntitySchema } from 'typeorm';
import { reference, type RowOf } from '../../../database/columns.js';

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

/** Texts of images as searches compare them, kept by a trigger (docs/adr/0028). */
const imageTextColumns = {
  imageId: { name: 'image_id', type: 'uuid', primary: true },
  userId: { name: 'user_id', type: 'uuid' },
  filename: { type: 'text' },
  /** All address fields, separated by U+001F; null if none is given. */
  address: { type: 'text', nullable: true },
} as const;

export const ImageTextEntity = new EntitySchema<RowOf<typeof imageTextColumns>>({
  name: 'image_text',
  tableName: 'image_texts',
  columns: imageTextColumns,
  indices: [
    { name: 'image_texts_address_grams', columns: ['userId', 'address'] },
    { name: 'image_texts_filename_grams', columns: ['userId', 'filename'] },
  ],
  foreignKeys: [reference('image_texts_image_id_fkey', 'images', { imageId: 'id' })],
});

export const rangeCountColumns = {
  activeImages: { name: 'active_images', type: 'integer', default: 0 },
  trashedImages: { name: 'trashed_images', type: 'integer', default: 0 },
} as const;

/**
 * The number of a user's images by (created_at, id), from this key to that of the next range; kept
 * by triggers on images (docs/adr/0006).
 */
const imageRangeColumns = {
  userId: { name: 'user_id', type: 'uuid', primary: true },
  fromAt: { name: 'from_at', type: 'timestamptz', primary: true },
  fromId: { name: 'from_id', type: 'uuid', primary: true },
  ...rangeCountColumns,
} as const;

export const ImageRangeEntity = new EntitySchema<RowOf<typeof imageRangeColumns>>({
  name: 'image_range',
  tableName: 'image_ranges',
  columns: imageRangeColumns,
  foreignKeys: [reference('image_ranges_user_id_fkey', 'users', { userId: 'id' })],
});
