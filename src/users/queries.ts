import { row } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';

export interface UsageRow {
  readonly maxStorageBytes: number;
  readonly storedBytes: number;
  readonly activeImages: number;
  readonly trashedImages: number;
  readonly activeBytes: number;
  readonly trashedBytes: number;
}

const usage = `max_storage_bytes AS "maxStorageBytes", stored_bytes AS "storedBytes",
  active_images AS "activeImages", trashed_images AS "trashedImages",
  active_bytes AS "activeBytes", trashed_bytes AS "trashedBytes"`;

export const selectUsage = (db: Queryable, userId: string): Promise<UsageRow | undefined> =>
  row(db, `SELECT ${usage} FROM users WHERE id = $1`, [userId]);

/** The same, holding the user's row until the transaction ends. */
export const lockUsage = (tx: Queryable, userId: string): Promise<UsageRow | undefined> =>
  row(tx, `SELECT ${usage} FROM users WHERE id = $1 FOR NO KEY UPDATE`, [userId]);
