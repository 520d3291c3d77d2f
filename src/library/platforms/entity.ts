import { entityOf, timestamps, now } from '../../database/columns.js';

export const platformColumns = {
  id: { type: 'uuid', primary: true },
  name: { type: 'text' },
  /** Tokens contain the generation in which they were issued; raising it revokes them all. */
  tokenGeneration: { name: 'token_generation', type: 'integer', default: 1 },
  /** When all tokens were last revoked. */
  revokedAt: { name: 'revoked_at', type: 'timestamptz', nullable: true },
  ...timestamps,
  suspendedAt: { name: 'suspended_at', type: 'timestamptz', nullable: true },
  /** Since when it is being deleted; irreversible. */
  deletingAt: { name: 'deleting_at', type: 'timestamptz', nullable: true },
  /** Whether anybody may read its log (docs/adr/0028). */
  publishLog: { name: 'publish_log', type: 'boolean', default: false },
} as const;

export const PlatformEntity = entityOf('platforms', platformColumns);

/** Counts of what was deleted with a platform, kept permanently (docs/adr/0003). */
export const erasureColumns = {
  platformId: { name: 'platform_id', type: 'uuid', primary: true },
  requestedAt: { name: 'requested_at', type: 'timestamptz', default: now },
  /** When nothing of it was left in the database. */
  rowsDeletedAt: { name: 'rows_deleted_at', type: 'timestamptz', nullable: true },
  /** When nothing of it was left in the object store. */
  objectsDeletedAt: { name: 'objects_deleted_at', type: 'timestamptz', nullable: true },
  users: { type: 'bigint', default: 0 },
  folders: { type: 'bigint', default: 0 },
  images: { type: 'bigint', default: 0 },
  versions: { type: 'bigint', default: 0 },
  objects: { type: 'bigint', default: 0 },
  /** Of originals and edits. */
  bytes: { type: 'bigint', default: 0 },
} as const;

export const PlatformErasureEntity = entityOf('erasures', erasureColumns);
