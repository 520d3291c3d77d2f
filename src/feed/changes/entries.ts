import { NIL, parse, stringify } from 'uuid';
import type { WallClock } from '../../base/time.js';
import { only, selectList, type RowOf } from '../../database/columns.js';
import { horizon, row, rows, type Queryable } from '../../database/sql.js';
import { tokenName } from '../../http/auth/entity.js';
import { changeColumns } from './entity.js';
import { actions, actors, types, type ChangeRecord } from './schemas.js';

// The entries of the feed: their positions, as cursors for clients too; how they are read; and their
// records.

/** The position of an entry in the feed of its platform. */
export interface FeedPosition {
  readonly position: number;
  readonly userId: string;
  readonly seq: number;
}

/** Before all entries. */
export const beginning: FeedPosition = { position: 0, userId: NIL, seq: 0 };

/** Of a cursor. */
const bytes = 32;

/** A position as an opaque cursor for clients. */
export function writeCursor({ position, userId, seq }: FeedPosition): string {
  const cursor = Buffer.alloc(bytes);
  cursor.writeBigUInt64BE(BigInt(position), 0);
  cursor.set(parse(userId), 8);
  cursor.writeBigUInt64BE(BigInt(seq), 24);
  return cursor.toString('base64url');
}

/** @returns undefined unless it was written by `writeCursor`. */
export function readCursor(text: string): FeedPosition | undefined {
  const cursor = Buffer.from(text, 'base64url');
  if (cursor.length !== bytes || cursor.toString('base64url') !== text) return undefined;
  const [position, seq] = [Number(cursor.readBigUInt64BE(0)), Number(cursor.readBigUInt64BE(24))];
  if (!Number.isSafeInteger(position) || !Number.isSafeInteger(seq)) return undefined;
  try {
    return { position, userId: stringify(cursor.subarray(8, 24)), seq };
  } catch {
    return undefined; // no UUID of any version
  }
}

export const readColumns = only(
  changeColumns,
  ...(['seq', 'at', 'type', 'id', 'action', 'actor', 'imageId', 'tokenId'] as const),
);
const positionedColumns = { ...readColumns, ...only(changeColumns, 'userId', 'position') };

interface Named {
  readonly tokenName: string | null;
}
export type ChangeRow = Readonly<RowOf<typeof readColumns>> & Named;
type PositionedChangeRow = Readonly<RowOf<typeof positionedColumns>> & Named;

/** The user whose sequence is read; with a platform, only if the user belongs to it. */
export interface SequenceOwner {
  readonly userId: string;
  readonly platformId?: string | undefined;
  /** Whether the reader is the user, rather than the platform. */
  readonly asUser?: boolean;
}

/**
 * The number of the user's newest entry, and the entries after a number; no row if there is no such
 * user.
 */
export const selectChanges = (
  db: Queryable,
  { userId, platformId }: SequenceOwner,
  { after, limit }: { after: number; limit: number },
): Promise<(({ readonly seq: null } | ChangeRow) & { readonly newest: number })[]> =>
  rows(
    db,
    `SELECT u.change_seq AS newest, c.*
     FROM users u LEFT JOIN LATERAL (
       SELECT ${selectList(readColumns)}, ${tokenName} FROM changes
       WHERE user_id = u.id AND seq > $3 ORDER BY seq LIMIT $4
     ) AS c ON true
     WHERE u.id = $1 AND ($2::uuid IS NULL OR u.platform_id = $2)`,
    [userId, platformId ?? null, after, limit],
  );

/** Whether there is such a user; with a platform, whether the user belongs to it. */
export const hasSequence = async (
  db: Queryable,
  { userId, platformId }: SequenceOwner,
): Promise<boolean> =>
  (await row(db, 'SELECT id FROM users WHERE id = $1 AND ($2::uuid IS NULL OR platform_id = $2)', [
    userId,
    platformId ?? null,
  ])) !== undefined;

/** The numbers of the oldest kept entry and of the newest; undefined if there is no such user. */
export const selectEnds = (
  db: Queryable,
  { userId, platformId }: SequenceOwner,
): Promise<{ readonly oldest: number | null; readonly newest: number } | undefined> =>
  row(
    db,
    `SELECT (SELECT min(seq) FROM changes WHERE user_id = u.id) AS oldest, u.change_seq AS newest
     FROM users u WHERE u.id = $1 AND ($2::uuid IS NULL OR u.platform_id = $2)`,
    [userId, platformId ?? null],
  );

/**
 * Entries of a platform after a position, up to the point before which no more entries can appear.
 */
export const selectPlatformChanges = (
  db: Queryable,
  platformId: string,
  { position, userId, seq }: FeedPosition,
  limit: number,
): Promise<PositionedChangeRow[]> =>
  rows(
    db,
    `SELECT ${selectList(positionedColumns)}, ${tokenName} FROM changes
     WHERE platform_id = $1 AND (feed_position, user_id, seq) > ($2, $3::uuid, $4)
       AND feed_position < (${horizon}) AND type <= ${types.length}
     ORDER BY feed_position, user_id, seq LIMIT $5`,
    [platformId, position, userId, seq, limit],
  );

const positionColumns = only(positionedColumns, 'position', 'userId', 'seq');

/** The newest entry of a platform that is no longer kept. */
export const selectExpired = (
  db: Queryable,
  platformId: string,
): Promise<FeedPosition | undefined> =>
  row(db, `SELECT ${selectList(positionColumns)} FROM feed_expiry WHERE platform_id = $1`, [
    platformId,
  ]);

/** The newest entry of a platform that its feed shows. */
export const selectNewestPosition = (
  db: Queryable,
  platformId: string,
): Promise<FeedPosition | undefined> =>
  row(
    db,
    `SELECT ${selectList(positionColumns)} FROM changes
     WHERE platform_id = $1 AND feed_position < (${horizon})
     ORDER BY feed_position DESC, user_id DESC, seq DESC LIMIT 1`,
    [platformId],
  );

/** An entry as represented in the API. */
export function changeRecord(row: ChangeRow, clock: WallClock): ChangeRecord {
  const { type, action, actor } = enumWords(row);
  return {
    seq: row.seq,
    at: clock.format(row.at),
    type,
    id: row.id,
    action,
    ...(row.imageId !== null && { image_id: row.imageId }),
    actor,
    // Which administrator it was is no business of platforms.
    ...(actor !== 'admin' &&
      row.tokenId !== null &&
      row.tokenName !== null && { token: { id: row.tokenId, name: row.tokenName } }),
  };
}

/** The words for the numbers of a row. */
export const enumWords = ({
  type,
  action,
  actor,
}: Pick<ChangeRow, 'type' | 'action' | 'actor'>) => ({
  type: wordOf(types, type - 1),
  action: wordOf(actions, action),
  actor: wordOf(actors, actor - 1),
});

function wordOf<const Word extends string>(words: readonly Word[], number: number): Word {
  const word = words[number];
  if (word === undefined) throw new RangeError(`an entry has the unknown number ${number}`);
  return word;
}
