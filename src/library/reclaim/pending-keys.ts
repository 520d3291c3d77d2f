import type { Queryable } from '../../database/sql.js';
import { deleteUndue, insertKeys, selectListed } from './reclaim.sql.js';

/**
 * Maximum time between queueing keys and referencing them, in minutes; the reclaim job leaves them
 * alone until then. Keys of deleted objects have no grace period: they are due at once.
 */
export const graceMinutes = 60;

/** Queues keys that are about to be written, so that a crash after this point leaves no orphans. */
export const queueKeys = (db: Queryable, keys: readonly string[]): Promise<unknown> =>
  insertKeys(db, keys, graceMinutes);

/**
 * Removes keys from the queue, in the transaction that references them.
 * @returns false if a key was already gone or past its grace period: its object may be deleted at
 * any moment.
 */
export const unqueueKeys = async (tx: Queryable, keys: readonly string[]): Promise<boolean> =>
  (await deleteUndue(tx, keys)).length === keys.length;

/** Whether the reclaim queue contains a key. */
export const isQueued = async (db: Queryable, key: string): Promise<boolean> =>
  (await selectListed(db, key)).length > 0;
