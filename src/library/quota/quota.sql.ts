import { byToken, currentToken } from '../../database/callers.js';
import { selectList } from '../../database/columns.js';
import { row, rows, type Queryable } from '../../database/sql.js';
import type { RowOf } from '../../database/table.js';
import { grantColumns, usageColumns } from './columns.js';
import { lockedUser } from './user-lock.js';

export type UsageRow = Readonly<RowOf<typeof usageColumns>>;

const usage = selectList(usageColumns);

/** With a platform, only if the user belongs to it. */
export const selectUsage = (
  db: Queryable,
  userId: string,
  platformId?: string,
): Promise<UsageRow | undefined> =>
  row(db, `SELECT ${usage} FROM users WHERE id = $1 AND ($2::uuid IS NULL OR platform_id = $2)`, [
    userId,
    platformId ?? null,
  ]);

/** The same, locking the user's row until the transaction ends; no row while the user is being deleted. */
export const lockUsage = (tx: Queryable, userId: string): Promise<UsageRow | undefined> =>
  row(tx, `SELECT ${usage} FROM ${lockedUser('$1', '$2')}`, [userId, currentToken()]);

/** A user's usage with the capacity granted from the platform's limits. */
export type GrantedUsageRow = UsageRow &
  Readonly<RowOf<typeof grantColumns>> & {
    readonly platformId: string;
    readonly limited: boolean;
  };

const grantedUsage = `${usage}, ${selectList(grantColumns)}, platform_id AS "platformId",
  platform_is_limited(platform_id) AS limited`;

/** Like `lockUsage`, with the granted capacity. */
export const lockGrantedUsage = (
  tx: Queryable,
  userId: string,
): Promise<GrantedUsageRow | undefined> =>
  row(tx, `SELECT ${grantedUsage} FROM ${lockedUser('$1', '$2')}`, [userId, currentToken()]);

/** The same without a lock. */
export const selectGrantedUsage = (
  db: Queryable,
  userId: string,
): Promise<GrantedUsageRow | undefined> =>
  row(db, `SELECT ${grantedUsage} FROM users WHERE id = $1`, [userId]);

export const updateMaxStorage = (
  db: Queryable,
  userId: string,
  bytes: number,
): Promise<UsageRow | undefined> =>
  row(
    db,
    `UPDATE users SET max_storage_bytes = $2, updated_at = now()
     WHERE id = $1 AND ${byToken('$3')} RETURNING ${usage}`,
    [userId, bytes, currentToken()],
  );

export interface PlatformUsageRow {
  readonly users: number;
  readonly activeImages: number;
  readonly images: number;
  readonly activeBytes: number;
  readonly storedBytes: number;
  readonly textBytes: number;
}

/** Totals over all users of a platform, from their counters; zeros if it has none. */
export async function selectPlatformUsage(
  db: Queryable,
  platformId: string,
): Promise<PlatformUsageRow> {
  const [sums] = await rows<PlatformUsageRow>(
    db,
    `SELECT count(*) AS users,
            coalesce(sum(active_images), 0)::bigint AS "activeImages",
            coalesce(sum(active_images + trashed_images), 0)::bigint AS images,
            coalesce(sum(active_bytes), 0)::bigint AS "activeBytes",
            coalesce(sum(stored_bytes), 0)::bigint AS "storedBytes",
            coalesce(sum(text_bytes), 0)::bigint AS "textBytes"
     FROM users WHERE platform_id = $1`,
    [platformId],
  );
  return sums as PlatformUsageRow;
}
