import { EntitySchema } from 'typeorm';
import { reference } from '../../../database/table.js';
import type { RowOf } from '../../../database/table.js';

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
