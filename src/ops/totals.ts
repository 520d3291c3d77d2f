import { type Queryable, rows, value } from '../database/sql.js';

/** Totals for the whole installation, from the users' counters. */
export async function readInstallationTotals(db: Queryable) {
  const [totals] = await rows<{
    platforms: number;
    users: number;
    images: number;
    storedBytes: number;
  }>(
    db,
    `SELECT (SELECT count(*)::int FROM platforms) AS platforms, count(*)::int AS users,
            coalesce(sum(active_images + trashed_images), 0)::int AS images,
            coalesce(sum(stored_bytes), 0)::bigint AS "storedBytes"
     FROM users`,
  );
  return totals ?? { platforms: 0, users: 0, images: 0, storedBytes: 0 };
}

/** The version of the database server, such as 15.14. */
export async function readServerVersion(db: Queryable): Promise<string> {
  const found = await value<string>(
    db,
    `SELECT split_part(current_setting('server_version'), ' ', 1) AS version`,
  );
  return found ?? '';
}
