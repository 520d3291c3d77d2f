import { entityOf, now } from '../../database/columns.js';

/** A hold (docs/adr/0026); on exactly one of images, a folder, or a user. */
export const holdColumns = {
  id: { type: 'uuid', primary: true },
  platformId: { name: 'platform_id', type: 'uuid' },
  reason: { type: 'text' },
  until: { type: 'timestamptz', nullable: true },
  imageIds: { name: 'image_ids', type: 'uuid', array: true, nullable: true },
  folderId: { name: 'folder_id', type: 'uuid', nullable: true },
  userId: { name: 'user_id', type: 'uuid', nullable: true },
  /** `platform` or `admin`. */
  createdBy: { name: 'created_by', type: 'text' },
  createdAt: { name: 'created_at', type: 'timestamptz', default: now },
  releasedAt: { name: 'released_at', type: 'timestamptz', nullable: true },
} as const;

export const HoldEntity = entityOf('holds', holdColumns);

const heldColumns = {
  userId: { name: 'user_id', type: 'uuid', primary: true },
  id: { type: 'uuid', primary: true },
  holdId: { name: 'hold_id', type: 'uuid', primary: true },
  kind: { type: 'text' },
} as const;

export const HeldEntity = entityOf('held', heldColumns);

const legalHoldColumns = {
  versionId: { name: 'version_id', type: 'uuid', primary: true },
  /** The bucket, and the prefix of keys in it. */
  place: { type: 'text' },
  keys: { type: 'text', array: true },
} as const;

/** Objects that bear a legal hold in the bucket; of versions that may be no more. */
export const LegalHoldEntity = entityOf('legal_holds', legalHoldColumns);
