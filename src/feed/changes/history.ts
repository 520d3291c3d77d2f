import { NIL } from 'uuid';
import { hourMs } from '../../base/units.js';
import { only, selectList, type RowOf } from '../../database/columns.js';
import { onlyRow, parameters, row, rows, type Bind, type Queryable } from '../../database/sql.js';
import { examine, type Examined } from '../../http/audit/examined.js';
import { tokenName } from '../../http/auth/entity.js';
import { changeColumns } from './entity.js';
import { enumWords, type FeedPosition } from './entries.js';
import { actions, actors, types } from './schemas.js';

// The entries of the feed as the audit shows them: the newest first, and only those that are asked for.

const historyColumns = only(
  changeColumns,
  ...(['at', 'type', 'action', 'actor', 'tokenId', 'platformId', 'userId', 'seq', 'id'] as const),
  ...(['imageId', 'position'] as const),
);
const columns = `${selectList(historyColumns)}, ${tokenName}`;

type HistoryRow = Readonly<RowOf<typeof historyColumns>> & { readonly tokenName: string | null };

/** Whose entries: those of one user, of a platform, or of all; and which of them. */
export interface HistoryScope {
  readonly platformId?: string | undefined;
  readonly userId?: string | undefined;
  /** Whether changes of what accounts contain are included. */
  readonly content: boolean;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly actors?: readonly string[] | undefined;
  /** Such as `image.created`. */
  readonly act?: string | undefined;
}

/** An entry of the change feed for the audit: who changed what, and with which token. */
export interface HistoryEntry extends FeedPosition {
  readonly at: Date;
  /** Such as `image.created`. */
  readonly act: string;
  readonly actor: string;
  readonly tokenId: string | null;
  readonly tokenName: string | null;
  readonly platformId: string;
  readonly id: string;
  readonly imageId: string | null;
}

const entryOf = (row: HistoryRow): HistoryEntry => {
  const { type, action, actor } = enumWords(row);
  return { ...row, act: `${type}.${action}`, actor };
};

/** A page of entries. */
interface HistoryPage {
  readonly after: FeedPosition | undefined;
  readonly limit: number;
}

/** Entries before `after`, newest first. Those of all platforms come on one page. */
export async function readHistory(
  db: Queryable,
  scope: HistoryScope,
  page: HistoryPage,
): Promise<Examined<HistoryEntry>> {
  const { platformId, userId, since } = scope;
  if (platformId === undefined && userId === undefined) {
    const found = await selectOfAll(db, scope, page.limit);
    return { found: found.filter(({ at }) => !since || at >= since).map(entryOf), end: undefined };
  }
  const { found, end } = await examineHistory(db, scope, page);
  const isPast = since && end && end.at.getTime() < since.getTime() - spreadMs;
  return { found: found.map(entryOf), end: end && !isPast ? entryOf(end) : undefined };
}

/**
 * Entries are numbered as transactions write and commit, their times are when those began: an entry
 * is no further from its place in the order of times than the longest of them takes.
 */
const spreadMs = hourMs;

/** The order of a user's entries, and that of a platform's. */
const orders = {
  user: { owner: 'user_id', key: 'seq', order: ['seq'] },
  platform: {
    owner: 'platform_id',
    key: 'feed_position',
    order: ['feed_position', 'user_id', 'seq'],
  },
} as const;

async function examineHistory(
  db: Queryable,
  scope: HistoryScope,
  { after, limit }: HistoryPage,
): Promise<Examined<HistoryRow>> {
  const { platformId, userId, until } = scope;
  const of = orders[userId === undefined ? 'platform' : 'user'];
  const ownerId = userId ?? platformId;
  const { values, bind } = parameters(ownerId);
  const start = after ?? (until && (await startBefore(db, of, ownerId, until)));
  const sorted = { position: start?.position, userId: start?.userId, seq: start?.seq };
  const places = of === orders.user ? [sorted.seq] : [sorted.position, sorted.userId, sorted.seq];
  const before = start && `AND (${of.order.join()}) < (${places.map(bind).join()})`;
  const filter = filterOf(scope, bind);
  return examine<HistoryRow>(db, {
    table: 'changes',
    columns,
    where: `${of.owner} = $1 AND type <= ${types.length} ${before ?? ''}`,
    filter,
    order: of.order,
    values,
    limit,
  });
}

/** The entries that were asked for, as SQL. */
function filterOf(scope: HistoryScope, bind: Bind): string | undefined {
  const { platformId, userId, content, since, until, actors: who, act } = scope;
  const [type, action] = act?.split('.') ?? [];
  const filters = [
    userId !== undefined && platformId !== undefined && `platform_id = ${bind(platformId)}`,
    !content && `type = ${accountType}`,
    since && `at >= ${bind(since)}`,
    until && `at < ${bind(until)}`,
    who && `actor = ANY (${bind(who.map((word) => 1 + indexIn(actors, word)))}::smallint[])`,
    act !== undefined &&
      `type = ${bind(1 + indexIn(types, type))} AND action = ${bind(indexIn(actions, action))}`,
  ].filter(Boolean);
  return filters.length > 0 ? filters.join(' AND ') : undefined;
}

const indexIn = (words: readonly string[], word = ''): number => words.indexOf(word);

/** The position before which all entries are that are not much later than a moment: bisected. */
async function startBefore(
  db: Queryable,
  { owner, key, order }: (typeof orders)[keyof typeof orders],
  ownerId: string | undefined,
  until: Date,
): Promise<FeedPosition> {
  const late = until.getTime() + spreadMs;
  const ends = await onlyRow<{ low: number | null; high: number | null }>(
    db,
    `SELECT min(${key}) AS low, max(${key}) + 1 AS high FROM changes WHERE ${owner} = $1`,
    [ownerId],
  );
  let [low, high] = [ends.low ?? 0, ends.high ?? 0];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const next = await row<{ key: number; at: Date }>(
      db,
      `SELECT ${key} AS key, at FROM changes WHERE ${owner} = $1 AND ${key} >= $2
       ORDER BY ${order.join()} LIMIT 1`,
      [ownerId, middle],
    );
    if (!next || next.at.getTime() >= late) high = middle;
    else low = next.key + 1;
  }
  return { position: high, userId: NIL, seq: owner === 'user_id' ? high : 0 };
}

const accountType = types.indexOf('user') + 1;

/** The newest entries of all platforms; of accounts alone, which are few among many, all are read. */
const selectOfAll = (
  db: Queryable,
  { content }: HistoryScope,
  limit: number,
): Promise<HistoryRow[]> =>
  content
    ? rows(
        db,
        `SELECT ${columns} FROM (SELECT id AS platform FROM platforms) AS p CROSS JOIN LATERAL (
           SELECT * FROM changes WHERE platform_id = p.platform AND type <= ${types.length}
           ORDER BY feed_position DESC, user_id DESC, seq DESC LIMIT $1
         ) AS c
         ORDER BY at DESC, seq DESC LIMIT $1`,
        [limit],
      )
    : rows(
        db,
        `SELECT ${columns} FROM changes WHERE type = $1 ORDER BY at DESC, seq DESC LIMIT $2`,
        [accountType, limit],
      );
