import { only, selectList } from '../../database/columns.js';
import { rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import type { RowOf } from '../../database/table.js';
import { changeColumns } from './entity.js';

const historyColumns = only(
  changeColumns,
  ...(['at', 'type', 'action', 'actor', 'tokenId', 'platformId', 'userId', 'seq', 'id'] as const),
  'imageId',
);

export type HistoryRow = Readonly<RowOf<typeof historyColumns>>;

/** The entries to read: those of one user, of a platform, or all. */
export interface HistoryScope {
  readonly platformId?: string | undefined;
  readonly userId?: string | undefined;
  readonly limit: number;
}

const columns = selectList(historyColumns);

/** Newest first. Sorts by indexed columns, whose order follows the time. */
export const selectHistory = (
  db: Queryable,
  { platformId, userId, limit }: HistoryScope,
): Promise<HistoryRow[]> =>
  userId === undefined
    ? rows(
        db,
        `SELECT ${columns} FROM (
           SELECT id AS platform FROM platforms WHERE $1::uuid IS NULL OR id = $1
         ) AS p CROSS JOIN LATERAL (
           SELECT * FROM changes WHERE platform_id = p.platform
           ORDER BY feed_position DESC, user_id DESC, seq DESC LIMIT $2
         ) AS c
         ORDER BY at DESC, seq DESC LIMIT $2`,
        [platformId ?? null, limit],
      )
    : rows(
        db,
        `SELECT ${columns} FROM changes WHERE user_id = $1 AND ($3::uuid IS NULL OR platform_id = $3)
         ORDER BY seq DESC LIMIT $2`,
        [userId, limit, platformId ?? null],
      );
