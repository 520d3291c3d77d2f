import { EntitySchema } from 'typeorm';
import { reference } from '../../../database/table.js';
import type { RowOf } from '../../../database/table.js';

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
