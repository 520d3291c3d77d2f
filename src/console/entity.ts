import { EntitySchema } from 'typeorm';
import type { RowOf } from '../database/table.js';

const consoleCodeColumns = {
  /** SHA-256, so that nobody can sign in with the contents of the table. */
  hash: { type: 'bytea', primary: true },
  expiresAt: { name: 'expires_at', type: 'timestamptz' },
} as const;

/** Codes of links to the console that have not been used yet. */
export const ConsoleCodeEntity = new EntitySchema<RowOf<typeof consoleCodeColumns>>({
  name: 'console_code',
  tableName: 'console_codes',
  columns: consoleCodeColumns,
});
