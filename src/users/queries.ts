import { instantText, rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import type { PageStart, Timed } from '../paging/paged.js';

export interface UserRow {
  readonly id: string;
  readonly platformId: string;
  readonly platformUserId: string;
  readonly createdAt: Date;
}

/** Users of a platform behind one of them, oldest first. */
export const selectUsers = (
  db: Queryable,
  platformId: string,
  { last, limit }: PageStart<Timed<UserRow>>,
): Promise<Timed<UserRow>[]> =>
  rows(
    db,
    `SELECT id, platform_id AS "platformId", platform_user_id AS "platformUserId",
            created_at AS "createdAt", ${instantText('created_at')} AS "sortTime"
     FROM users
     WHERE platform_id = $1
       AND ($2::timestamptz IS NULL OR (created_at, id) > ($2::timestamptz, $3::uuid))
     ORDER BY created_at, id LIMIT $4`,
    [platformId, last?.sortTime, last?.id, limit],
  );
