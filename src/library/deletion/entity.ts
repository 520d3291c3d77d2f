import { EntitySchema } from 'typeorm';
import { now, type RowOf } from '../../database/columns.js';

/** Counts of what was deleted with a platform, kept permanently (docs/adr/0004). */
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

export const PlatformErasureEntity = new EntitySchema<RowOf<typeof erasureColumns>>({
  name: 'erasure',
  tableName: 'erasures',
  columns: erasureColumns,
});
