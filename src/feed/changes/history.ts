import { only, selectList, type RowOf } from '../../database/columns.js';
import { type Queryable, rows } from '../../database/sql.js';
import { changeColumns } from './entity.js';
import { enumWords } from './record.js';

const historyColumns = only(
  changeColumns,
  ...(['at', 'type', 'action', 'actor', 'tokenId', 'platformId', 'userId', 'seq', 'id'] as const),
  'imageId',
);

type HistoryRow = Readonly<RowOf<typeof historyColumns>>;

/** The entries to read: those of one user, of a platform, or all. */
interface HistoryScope {
  readonly platformId?: string | undefined;
  readonly userId?: string | undefined;
  readonly limit: number;
}

const columns = selectList(historyColumns);

/** Newest first. Sorts by indexed columns, whose order follows the time. */
const selectHistory = (
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

export type { HistoryScope };

/** An entry of the change feed for the audit: who changed what, and with which token. */
export interface HistoryEntry {
  readonly at: Date;
  /** Such as `image.created`. */
  readonly act: string;
  readonly actor: string;
  readonly tokenId: string | null;
  readonly platformId: string;
  readonly userId: string;
  readonly seq: number;
  readonly id: string;
  readonly imageId: string | null;
}

/** The newest kept entries, newest first. */
export async function readHistory(db: Queryable, scope: HistoryScope): Promise<HistoryEntry[]> {
  return (await selectHistory(db, scope)).map((row) => {
    const { type, action, actor } = enumWords(row);
    return { ...row, act: `${type}.${action}`, actor };
  });
}
