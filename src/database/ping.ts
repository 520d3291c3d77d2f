import type { Queryable } from './sql.js';

/** Checks that the database answers. @throws what the connection throws. */
export const ping = async (db: Queryable): Promise<void> => void (await db.query('SELECT 1'));

/**
 * Checks that the database reads and writes: the row lock is a few bytes in the write-ahead log, and
 * its commit waits for the disk and for synchronous standbys. A read-only database rejects it.
 * @throws what the connection throws.
 */
export const pingWriting = async (db: Queryable): Promise<void> =>
  void (await db.query('SELECT id FROM instance FOR KEY SHARE'));
