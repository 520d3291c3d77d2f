import { EntitySchema } from 'typeorm';
import type { RowOf } from '../../../database/columns.js';

const archiveColumns = {
  id: { type: 'uuid', primary: true },
  userId: { name: 'user_id', type: 'uuid' },
  filter: { type: 'jsonb' },
  imageIds: { name: 'image_ids', type: 'uuid', array: true, nullable: true },
  token: { type: 'jsonb' },
  expiresAt: { name: 'expires_at', type: 'timestamptz' },
} as const;

/** An address of an archive. */
export const ArchiveEntity = new EntitySchema<RowOf<typeof archiveColumns>>({
  name: 'archive',
  tableName: 'archives',
  columns: archiveColumns,
});
