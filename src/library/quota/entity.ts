import { entityOf } from '../../database/columns.js';

// Columns of the table users, used in its entity.

/** Maintained by triggers on images, memos, customs, and uploads that resume. */
export const counterColumns = {
  activeImages: { name: 'active_images', type: 'integer', default: 0 },
  trashedImages: { name: 'trashed_images', type: 'integer', default: 0 },
  /** Bytes of the current versions of images that are not in the trash. */
  activeBytes: { name: 'active_bytes', type: 'bigint', default: 0 },
  trashedBytes: { name: 'trashed_bytes', type: 'bigint', default: 0 },
  /** Originals and all edits, trash included. */
  storedBytes: { name: 'stored_bytes', type: 'bigint', default: 0 },
  /** Memos and customs, in UTF-8. */
  textBytes: { name: 'text_bytes', type: 'bigint', default: 0 },
  /** Of uploads that are not finished: with the two above, what the quota counts. */
  announcedBytes: { name: 'announced_bytes', type: 'bigint', default: 0 },
} as const;

/** A user's quota and usage. */
export const usageColumns = {
  maxStorageBytes: { name: 'max_storage_bytes', type: 'bigint' },
  ...counterColumns,
} as const;

/**
 * Capacity granted to the user in advance, usable without checking the platform's limits
 * (docs/adr/0003).
 */
export const grantColumns = {
  grantedBytes: { name: 'granted_bytes', type: 'bigint', default: 0 },
  grantedImages: { name: 'granted_images', type: 'bigint', default: 0 },
} as const;

/** The head of the user's sequence of changes; maintained by triggers (docs/adr/0015). */
export const sequenceColumns = {
  changeSeq: { name: 'change_seq', type: 'bigint', default: 0 },
  /** Number of the first change of the transaction `changeXact`. */
  changeFirst: { name: 'change_first', type: 'bigint', default: 0 },
  changeXact: { name: 'change_xact', type: 'bigint', default: 0 },
  changePosition: { name: 'change_position', type: 'bigint', default: 0 },
} as const;

/** The limits of a platform, and what is left of them (docs/adr/0003). */
export const limitColumns = {
  platformId: { name: 'platform_id', type: 'uuid', primary: true },
  maxBytes: { name: 'max_bytes', type: 'bigint', nullable: true },
  maxImages: { name: 'max_images', type: 'bigint', nullable: true },
  maxUsers: { name: 'max_users', type: 'bigint', nullable: true },
  /** Neither stored by a user nor granted to one; negative if more is stored than allowed. */
  freeBytes: { name: 'free_bytes', type: 'bigint', default: 0 },
  freeImages: { name: 'free_images', type: 'bigint', default: 0 },
  freeUsers: { name: 'free_users', type: 'bigint', default: 0 },
} as const;

export const PlatformLimitsEntity = entityOf('platform_limits', limitColumns);
