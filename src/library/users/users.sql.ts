import { only, selectList } from '../../database/columns.js';
import { instantText, row, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import type { RowOf } from '../../database/table.js';
import type { NextPage, WithSortTime } from '../../http/paging/paged.js';
import { userColumns } from './entity.js';

const listed = only(
  userColumns,
  ...(['id', 'platformId', 'platformUserId', 'createdAt', 'suspendedAt'] as const),
);
const listedRow = selectList(listed);

export type UserRow = Readonly<RowOf<typeof listed>>;

/** Users of a platform after the given one, oldest first. */
export const selectUsers = (
  db: Queryable,
  platformId: string,
  { last, limit }: NextPage<WithSortTime<UserRow>>,
): Promise<WithSortTime<UserRow>[]> =>
  rows(
    db,
    `SELECT ${listedRow}, ${instantText('created_at')} AS "sortTime"
     FROM users
     WHERE platform_id = $1
       AND ($2::timestamptz IS NULL OR (created_at, id) > ($2::timestamptz, $3::uuid))
     ORDER BY created_at, id LIMIT $4`,
    [platformId, last?.sortTime, last?.id, limit],
  );

/** A user who is already suspended keeps the time. @returns false for an unknown user. */
export const setSuspended = async (
  db: Queryable,
  id: string,
  suspended: boolean,
): Promise<boolean> =>
  (await row(
    db,
    `UPDATE users
     SET suspended_at = CASE WHEN $2 THEN coalesce(suspended_at, now()) END, updated_at = now()
     WHERE id = $1 RETURNING id`,
    [id, suspended],
  )) !== undefined;
