import { only, selectList } from '../database/columns.js';
import { instantText, rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import type { RowOf } from '../database/table.js';
import type { NextPage, WithSortTime } from '../paging/paged.js';
import { userColumns } from './entity.js';

const listed = only(userColumns, 'id', 'platformId', 'platformUserId', 'createdAt');
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
