import { selectList } from '../../database/columns.js';
import { row, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import type { RowOf } from '../../database/table.js';
import { limitColumns } from './entity.js';

export type LimitsRow = Readonly<RowOf<typeof limitColumns>>;

/** Limits of a platform; null: no limit. */
export type Limits = Pick<LimitsRow, 'maxBytes' | 'maxImages' | 'maxUsers'>;

const limits = selectList(limitColumns);

export const selectLimits = (db: Queryable, platformId: string): Promise<LimitsRow | undefined> =>
  row(db, `SELECT ${limits} FROM platform_limits WHERE platform_id = $1`, [platformId]);

/**
 * Grants the user more capacity, in the transaction that holds the user's lock. @returns false if
 * the platform seems to have none left; some may be granted but unused.
 */
export const takeCapacity = async (
  tx: Queryable,
  userId: string,
  { bytes, images }: { bytes: number; images: number },
): Promise<boolean> =>
  (
    await row<{ taken: boolean }>(tx, 'SELECT take_room($1, $2, $3) AS taken', [
      userId,
      bytes,
      images,
    ])
  )?.taken === true;

/**
 * Counts a new user against the platform's limit. @returns false if the limit seems to be reached.
 */
export const takeUser = async (tx: Queryable, platformId: string): Promise<boolean> =>
  (await row<{ taken: boolean }>(tx, 'SELECT take_user($1) AS taken', [platformId]))?.taken ===
  true;

/**
 * Waits for running transactions, takes back capacity that is granted but unused, and counts what
 * is left. @returns undefined for a platform without limits.
 */
export const settle = (db: Queryable, platformId: string): Promise<LimitsRow | undefined> =>
  row(db, `SELECT ${limits} FROM settle_platform($1)`, [platformId]);

/** Sets limits; nothing is free until it has been counted. */
export const upsertLimits = (tx: Queryable, platformId: string, given: Limits): Promise<unknown> =>
  rows(
    tx,
    `INSERT INTO platform_limits (platform_id, max_bytes, max_images, max_users)
     VALUES ($1, $2, $3, $4)
     ON CONFLICT (platform_id) DO UPDATE
     SET max_bytes = excluded.max_bytes, max_images = excluded.max_images,
         max_users = excluded.max_users, free_bytes = 0, free_images = 0, free_users = 0`,
    [platformId, given.maxBytes, given.maxImages, given.maxUsers],
  );

export const deleteLimits = (tx: Queryable, platformId: string): Promise<unknown> =>
  rows(tx, 'DELETE FROM platform_limits WHERE platform_id = $1', [platformId]);

/** Waits for the running transactions of a batch of users, by id after the given one. */
export const awaitUsers = (
  db: Queryable,
  platformId: string,
  page: { after: string; limit: number },
): Promise<{ id: string }[]> =>
  rows(
    db,
    `SELECT id FROM users WHERE platform_id = $1 AND id > $2 ORDER BY id LIMIT $3 FOR SHARE`,
    [platformId, page.after, page.limit],
  );
