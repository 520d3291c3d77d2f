import { only, selectList } from '../../database/columns.js';
import { instantText, row, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import type { RowOf } from '../../database/table.js';
import type { PagePosition } from '../../http/paging/page-cursors.js';
import { userColumns } from './entity.js';

const listed = only(
  userColumns,
  ...(['id', 'platformUserId', 'createdAt', 'suspendedAt'] as const),
  ...(['activeImages', 'trashedImages', 'storedBytes', 'textBytes', 'maxStorageBytes'] as const),
);
const listedRow = selectList(listed);

export type AccountRow = Readonly<RowOf<typeof listed>> & { readonly sortKey: readonly string[] };

/** Users whose name contains `search`, case-insensitively and literally. */
const matches = `platform_id = $1
  AND ($2::text IS NULL OR strpos(lower(platform_user_id), lower($2)) > 0)`;

export interface UserSearch {
  readonly platformId: string;
  readonly search: string | null;
}

/** Users of a platform, oldest first. */
export const selectAccounts = (
  db: Queryable,
  { platformId, search }: UserSearch,
  { after, offset }: PagePosition,
  limit: number,
): Promise<AccountRow[]> =>
  rows(
    db,
    `SELECT ${listedRow}, ARRAY[${instantText('created_at')}, id::text] AS "sortKey"
     FROM users
     WHERE ${matches}
       AND ($3::timestamptz IS NULL OR (created_at, id) > ($3::timestamptz, $4::uuid))
     ORDER BY created_at, id OFFSET $5 LIMIT $6`,
    [platformId, search, after?.[0] ?? null, after?.[1] ?? null, offset, limit],
  );

export const countAccounts = async (
  db: Queryable,
  { platformId, search }: UserSearch,
): Promise<number> =>
  (
    await row<{ count: number }>(db, `SELECT count(*)::int AS count FROM users WHERE ${matches}`, [
      platformId,
      search,
    ])
  )?.count ?? 0;
