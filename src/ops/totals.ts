import { onlyRow, onlyValue, type Queryable } from '../database/sql.js';

/** Totals for the whole installation, from the users' counters. */
export const readInstallationTotals = (db: Queryable) =>
  onlyRow<{ platforms: number; users: number; images: number; storedBytes: number }>(
    db,
    `SELECT (SELECT count(*)::int FROM platforms) AS platforms, count(*)::int AS users,
            coalesce(sum(active_images + trashed_images), 0)::int AS images,
            coalesce(sum(stored_bytes), 0)::bigint AS "storedBytes"
     FROM users`,
  );

/** The major version of the database server. */
export const readServerMajor = async (db: Queryable): Promise<number> =>
  Number((await readServerVersion(db)).split('.')[0]);

/** The version of the database server, such as 15.14. */
export const readServerVersion = (db: Queryable): Promise<string> =>
  onlyValue(db, `SELECT split_part(current_setting('server_version'), ' ', 1) AS version`);
