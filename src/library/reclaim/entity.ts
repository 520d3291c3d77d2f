import { EntitySchema } from 'typeorm';
import { now, type RowOf } from '../../database/columns.js';

/** Objects that no row references: about to be written, or to be deleted (docs/adr/0003). */
const objectReclaimColumns = {
  key: { type: 'text', primary: true },
  notBefore: { name: 'not_before', type: 'timestamptz' },
  attempts: { type: 'integer', default: 0 },
  lastError: { name: 'last_error', type: 'text', nullable: true },
  createdAt: { name: 'created_at', type: 'timestamptz', default: now },
} as const;

export const ObjectReclaimEntity = new EntitySchema<RowOf<typeof objectReclaimColumns>>({
  name: 'object_reclaim',
  tableName: 'object_reclaim',
  columns: objectReclaimColumns,
  indices: [{ name: 'object_reclaim_due', columns: ['notBefore'] }],
});
