import type { Queryable } from './sql.js';

/** Checks that the database answers. @throws what the connection throws. */
export const ping = async (db: Queryable): Promise<void> => void (await db.query('SELECT 1'));
