import { EntitySchema } from 'typeorm';
import type { RowOf } from '../../database/table.js';

/** Acts of administrators. Has no foreign keys, since acts outlive their subjects. */
export const actColumns = {
  id: { type: 'bigint', primary: true, generated: true },
  at: { type: 'timestamptz', default: () => 'clock_timestamp()' },
  act: { type: 'text' },
  actor: { type: 'text' },
  /** User of the operating system, from the terminal. */
  operator: { type: 'text', nullable: true },
  tokenId: { name: 'token_id', type: 'uuid', nullable: true },
  platformId: { name: 'platform_id', type: 'uuid', nullable: true },
  userId: { name: 'user_id', type: 'uuid', nullable: true },
  details: { type: 'jsonb', nullable: true },
} as const;

export const AuditActEntity = new EntitySchema<RowOf<typeof actColumns>>({
  name: 'audit_act',
  tableName: 'audit_acts',
  columns: actColumns,
  indices: [{ name: 'audit_acts_at', columns: ['at', 'id'] }],
});
