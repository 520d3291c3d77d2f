import { EntitySchema } from 'typeorm';
import { now } from './table.js';
import type { RowOf } from './table.js';

/** A single row: the installation that the database belongs to, and the location of its objects. */
export const instanceColumns = {
  singleton: { type: 'boolean', primary: true, default: true },
  id: { type: 'uuid' },
  createdAt: { name: 'created_at', type: 'timestamptz', default: now },
  store: { type: 'text', default: 'local' },
  /** During a move, its target; afterward, its source, until that is cleared. */
  second: { name: 'second_store', type: 'text', nullable: true },
  moving: { type: 'boolean', default: false },
  moveStartedAt: { name: 'move_started_at', type: 'timestamptz', nullable: true },
  /** Id of the last version whose objects were copied. */
  movedUpTo: { name: 'moved_up_to', type: 'uuid', nullable: true },
} as const;

export const InstanceEntity = new EntitySchema<RowOf<typeof instanceColumns>>({
  name: 'instance',
  tableName: 'instance',
  columns: instanceColumns,
  checks: [
    { name: 'instance_singleton_check', expression: 'singleton' },
    {
      name: 'instance_store_check',
      expression: `(store = ANY (ARRAY['local'::text, 's3'::text]))`,
    },
    {
      name: 'instance_check',
      expression: `((second_store = ANY (ARRAY['local'::text, 's3'::text])) AND (second_store <> store))`,
    },
    { name: 'instance_check1', expression: '((NOT moving) OR (second_store IS NOT NULL))' },
  ],
});
