// Columns of the table users, used in its entity.

/** Maintained by triggers on images, memos, and customs. */
export const counterColumns = {
  activeImages: { name: 'active_images', type: 'integer', default: 0 },
  trashedImages: { name: 'trashed_images', type: 'integer', default: 0 },
  /** Bytes of the current versions of images that are not in the trash. */
  activeBytes: { name: 'active_bytes', type: 'bigint', default: 0 },
  trashedBytes: { name: 'trashed_bytes', type: 'bigint', default: 0 },
  /** Originals and all edits, trash included. */
  storedBytes: { name: 'stored_bytes', type: 'bigint', default: 0 },
  /** Memos and customs, in UTF-8: with `storedBytes`, what the quota counts. */
  textBytes: { name: 'text_bytes', type: 'bigint', default: 0 },
} as const;

/** A user's quota and usage. */
export const usageColumns = {
  maxStorageBytes: { name: 'max_storage_bytes', type: 'bigint' },
  ...counterColumns,
} as const;

/**
 * Capacity granted to the user in advance, usable without checking the platform's limits
 * (docs/adr/0004).
 */
export const grantColumns = {
  grantedBytes: { name: 'granted_bytes', type: 'bigint', default: 0 },
  grantedImages: { name: 'granted_images', type: 'bigint', default: 0 },
} as const;

/** The head of the user's sequence of changes; maintained by triggers (docs/adr/0035). */
export const sequenceColumns = {
  changeSeq: { name: 'change_seq', type: 'bigint', default: 0 },
  /** Number of the first change of the transaction `changeXact`. */
  changeFirst: { name: 'change_first', type: 'bigint', default: 0 },
  changeXact: { name: 'change_xact', type: 'bigint', default: 0 },
  changePosition: { name: 'change_position', type: 'bigint', default: 0 },
} as const;
