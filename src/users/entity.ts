import { EntitySchema } from 'typeorm';
import { reference, timestamps } from '../database/table.js';
import type { RowOf } from '../database/table.js';

/** Kept by triggers on images. */
export const counterColumns = {
  activeImages: { name: 'active_images', type: 'integer', default: 0 },
  trashedImages: { name: 'trashed_images', type: 'integer', default: 0 },
  /** Of the current versions of images that are not in the trash. */
  activeBytes: { name: 'active_bytes', type: 'bigint', default: 0 },
  trashedBytes: { name: 'trashed_bytes', type: 'bigint', default: 0 },
  /** Originals and all edits, trash included: what the quota counts. */
  storedBytes: { name: 'stored_bytes', type: 'bigint', default: 0 },
} as const;

/** What a user may store, and has stored. */
export const usageColumns = {
  maxStorageBytes: { name: 'max_storage_bytes', type: 'bigint' },
  ...counterColumns,
} as const;

export const userColumns = {
  id: { type: 'uuid', primary: true },
  platformId: { name: 'platform_id', type: 'uuid' },
  platformUserId: { name: 'platform_user_id', type: 'text' },
  ...timestamps,
  ...usageColumns,
} as const;

export type User = RowOf<typeof userColumns>;

export const UserEntity = new EntitySchema<User>({
  name: 'user',
  tableName: 'users',
  columns: userColumns,
  checks: [{ name: 'users_max_storage_bytes_check', expression: '(max_storage_bytes > 0)' }],
  uniques: [
    { name: 'users_platform_id_platform_user_id_key', columns: ['platformId', 'platformUserId'] },
    { name: 'users_id_platform_id_key', columns: ['id', 'platformId'] },
  ],
  indices: [{ name: 'users_oldest', columns: ['platformId', 'createdAt', 'id'] }],
  foreignKeys: [reference('users_platform_id_fkey', 'platforms', { platformId: 'id' })],
});
