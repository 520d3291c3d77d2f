import type { DataSource } from 'typeorm';
import { rows, type Queryable } from '../src/database/sql.js';
import { eventually } from './eventually.js';

const tables = ['images', 'image_versions'];

/** Changes rows without firing the accounting triggers. */
export async function withoutTriggers(
  db: DataSource,
  sql: string,
  parameters: unknown[],
): Promise<void> {
  const change = async (tx: Queryable): Promise<void> => {
    await rows(tx, `LOCK TABLE ${tables.join(', ')} IN SHARE ROW EXCLUSIVE MODE NOWAIT`);
    await switchTriggers(tx, 'DISABLE');
    await rows(tx, sql, parameters);
    await switchTriggers(tx, 'ENABLE');
  };
  // Uploads lock these tables in one order and edits in the other: holding one lock while waiting for
  // the other could deadlock.
  await eventually('nobody else writes', () =>
    db.transaction(change).then(() => true, unlessLocked),
  );
}

async function switchTriggers(tx: Queryable, state: 'DISABLE' | 'ENABLE'): Promise<void> {
  for (const table of tables) await rows(tx, `ALTER TABLE ${table} ${state} TRIGGER USER`);
}

function unlessLocked(error: unknown): false {
  if ((error as { code?: unknown }).code === '55P03') return false;
  throw error;
}
