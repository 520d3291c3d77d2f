import { v7 as uuidv7 } from 'uuid';
import { failure } from '../errors/operator.js';
import { row, rows } from './sql.js';
import type { Queryable } from './sql.js';

/** The id of the installation that a migrated database belongs to. */
export async function readInstanceId(db: Queryable): Promise<string> {
  const instance = await row<{ id: string }>(db, 'SELECT id FROM instance');
  if (!instance) {
    throw failure('The database has tables, but is not initialised.', {
      setting: 'database.url',
      remedy: 'imgstore init',
    });
  }
  return instance.id;
}

/** Names the installation, once. @returns its id. */
export async function ensureInstance(db: Queryable): Promise<string> {
  await rows(db, 'INSERT INTO instance (id) VALUES ($1) ON CONFLICT DO NOTHING', [uuidv7()]);
  return readInstanceId(db);
}

/** Holds the installation until the transaction ends, for what its nodes must do one by one. */
export async function lockInstance(tx: Queryable): Promise<void> {
  await rows(tx, 'SELECT FROM instance FOR UPDATE');
}
