import {
  nameList,
  boundList,
  selectList,
  valuesOf,
  without,
  type RowOf,
} from '../../database/columns.js';
import { column, type Queryable, row, rows, value } from '../../database/sql.js';
import { newestOf } from '../../http/paging/newest.js';
import { holdColumns } from './entity.js';

export type HoldRow = Readonly<RowOf<typeof holdColumns>>;

const holdRow = selectList(holdColumns);

/** The users, locked, whose these things of the platform are; in the order of their ids. */
const lockOwners = (
  tx: Queryable,
  platformId: string,
  owners: string,
  ids: unknown,
): Promise<string[]> =>
  column(
    tx,
    `SELECT id FROM users WHERE platform_id = $1 AND id IN (${owners}) ORDER BY id FOR NO KEY UPDATE`,
    [platformId, ids],
  );

/** What a hold is to be on, as rows of `held`. */
export interface Target {
  readonly kind: 'user' | 'folder' | 'image';
  readonly ids: readonly string[];
}

export interface Kept {
  readonly id: string;
  readonly userId: string;
}

const owners = {
  user: 'SELECT unnest($2::uuid[])',
  folder: 'SELECT user_id FROM folders WHERE id = ANY ($2::uuid[])',
  image: 'SELECT user_id FROM images WHERE id = ANY ($2::uuid[])',
} as const;

const found = {
  user: 'SELECT id, id AS "userId" FROM users WHERE id = ANY ($1::uuid[]) AND id = ANY ($2::uuid[])',
  folder: `SELECT id, user_id AS "userId" FROM folders
    WHERE id = ANY ($1::uuid[]) AND user_id = ANY ($2::uuid[]) AND NOT is_being_deleted(id)
    FOR KEY SHARE`,
  image: `WITH going AS MATERIALIZED (
      SELECT folder_id AS id FROM images WHERE id = ANY ($1::uuid[]) AND folder_id IS NOT NULL
      GROUP BY folder_id HAVING is_being_deleted(folder_id)
    )
    SELECT id, user_id AS "userId" FROM images
    WHERE id = ANY ($1::uuid[]) AND user_id = ANY ($2::uuid[])
      AND folder_id IN (SELECT id FROM going) IS NOT TRUE
    FOR KEY SHARE`,
} as const;

/** What of the target the platform has; its users are locked, so that nothing of it is deleted meanwhile. */
export async function lockTarget(
  tx: Queryable,
  platformId: string,
  { kind, ids }: Target,
): Promise<Kept[]> {
  const users = await lockOwners(tx, platformId, owners[kind], ids);
  return rows(tx, found[kind], [ids, users]);
}

/** Locks the platform against its deletion. @returns false if there is none. */
export const lockPlatform = async (tx: Queryable, platformId: string): Promise<boolean> =>
  (await row(tx, 'SELECT FROM platforms WHERE id = $1 AND deleting_at IS NULL FOR SHARE', [
    platformId,
  ])) !== undefined;

export const isPlatform = async (db: Queryable, platformId: string): Promise<boolean> =>
  (await row(db, 'SELECT FROM platforms WHERE id = $1', [platformId])) !== undefined;

const insertedColumns = without(holdColumns, 'imageIds', 'createdAt', 'releasedAt');
export type NewHoldRow = RowOf<typeof insertedColumns> & {
  readonly imageIds: readonly string[] | null;
};

export const insertHold = async (
  tx: Queryable,
  hold: NewHoldRow,
  kind: Target['kind'],
  things: readonly Kept[],
): Promise<HoldRow> => {
  const made = await row<HoldRow>(
    tx,
    `INSERT INTO holds (${nameList(insertedColumns)}, image_ids)
     VALUES (${boundList(insertedColumns)}, $${Object.keys(insertedColumns).length + 1}::uuid[])
     RETURNING ${holdRow}`,
    [...valuesOf(insertedColumns, hold), hold.imageIds],
  );
  await rows(
    tx,
    `INSERT INTO held (hold_id, kind, user_id, id)
     SELECT $1, $2, * FROM unnest($3::uuid[], $4::uuid[])`,
    [hold.id, kind, things.map(({ userId }) => userId), things.map(({ id }) => id)],
  );
  return made as HoldRow;
};

export const selectHold = (
  db: Queryable,
  platformId: string,
  id: string,
): Promise<HoldRow | undefined> =>
  row(db, `SELECT ${holdRow} FROM holds WHERE id = $1 AND platform_id = $2`, [id, platformId]);

export const selectPlatformOf = (db: Queryable, id: string): Promise<string | undefined> =>
  value(db, 'SELECT platform_id FROM holds WHERE id = $1', [id]);

/** A hold that was released stays so. */
export const releaseHold = async (tx: Queryable, id: string): Promise<HoldRow> =>
  (await row<HoldRow>(
    tx,
    `UPDATE holds SET released_at = coalesce(released_at, now()) WHERE id = $1 RETURNING ${holdRow}`,
    [id],
  )) as HoldRow;

/** Holds of a platform, newest first; their images are read later. */
export const holdsOf = (db: Queryable, platformId: string) =>
  newestOf<Omit<HoldRow, 'imageIds'>>(db, platformId, {
    columns: selectList(without(holdColumns, 'imageIds'), 't'),
    from: 'holds t WHERE t.platform_id = $1',
  });

/** The holds that last, of all platforms, oldest first: some of them, and how many there are. */
export const selectLasting = (
  db: Queryable,
  limit: number,
): Promise<(HoldRow & { readonly total: number })[]> =>
  rows(
    db,
    `SELECT ${selectList(holdColumns, 'h')}, count(*) OVER ()::int AS total
     FROM holds h WHERE end_of(h) > now() ORDER BY h.created_at, h.id LIMIT $1`,
    [limit],
  );
