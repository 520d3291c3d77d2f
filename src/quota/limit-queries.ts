import { selectList } from '../database/columns.js';
import { row, rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import type { RowOf } from '../database/table.js';
import { limitColumns } from './entity.js';

export type LimitsRow = Readonly<RowOf<typeof limitColumns>>;

/** What may be limited; null is no limit. */
export type Limits = Pick<LimitsRow, 'maxBytes' | 'maxImages' | 'maxUsers'>;

const limits = selectList(limitColumns);

export const selectLimits = (db: Queryable, platformId: string): Promise<LimitsRow | undefined> =>
  row(db, `SELECT ${limits} FROM platform_limits WHERE platform_id = $1`, [platformId]);

/**
 * Has the user hold room for more, in the transaction that has the user's lock.
 * @returns false if the platform seems to have none left: some may be held and not used.
 */
export const takeRoom = async (
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

/** Takes one of the users that the platform may have. @returns false if it seems to have them all. */
export const takeUser = async (tx: Queryable, platformId: string): Promise<boolean> =>
  (await row<{ taken: boolean }>(tx, 'SELECT take_user($1) AS taken', [platformId]))?.taken ===
  true;

/**
 * Takes back what users hold and do not use, once what is being stored is stored, and counts what is
 * left. @returns undefined for a platform without limits.
 */
export const settle = (db: Queryable, platformId: string): Promise<LimitsRow | undefined> =>
  row(db, `SELECT ${limits} FROM settle_platform($1)`, [platformId]);

/** Sets limits, of which nothing is free until it is counted. */
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

/** Waits until nothing is stored any more that was begun before, of some users after the given one. */
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
