import { EntitySchema } from 'typeorm';
import { now, type RowOf } from '../../database/columns.js';

/** The item after which the page at `lastIndex` starts (docs/adr/0006). */
export const cursorColumns = {
  /** 16 bytes of the caller, and a digest of the token and of the list's parameters. */
  id: { type: 'bytea', primary: true },
  lastIndex: { name: 'last_index', type: 'integer', primary: true },
  key: { name: 'sort_key', type: 'text', array: true },
  items: { name: 'total_images', type: 'integer' },
  bytes: { name: 'total_bytes', type: 'bigint' },
  /** false: there are at least as many items, and as many bytes. */
  exact: { type: 'boolean', default: true },
  notedAt: { name: 'noted_at', type: 'timestamptz', default: now },
} as const;

export const CursorEntity = new EntitySchema<RowOf<typeof cursorColumns>>({
  name: 'walk',
  tableName: 'walks',
  columns: cursorColumns,
});
