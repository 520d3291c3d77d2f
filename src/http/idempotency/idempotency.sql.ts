import { only, selectList, type RowOf } from '../../database/columns.js';
import { onlyRow, type Queryable, row, rows } from '../../database/sql.js';
import { idempotencyColumns } from './entity.js';

/** Identifies a key. */
export interface KeyId {
  /** The user or platform of the token. */
  readonly owner: string;
  readonly key: string;
}

const pieceColumns = only(idempotencyColumns, 'fingerprint', 'answer', 'isLast');
const pieceRow = selectList(pieceColumns);

export type PieceRow = Readonly<RowOf<typeof pieceColumns>>;

const fresh = (hours: string): string => `created_at > now() - make_interval(hours => ${hours})`;

/**
 * A piece of the answer to a request; undefined once the key has expired. Locking its row writes to the
 * log, so that this waits, as the first request did, until synchronous standbys have both.
 */
export const selectPiece = (
  db: Queryable,
  { owner, key }: KeyId,
  piece: number,
  hours: number,
): Promise<PieceRow | undefined> =>
  row(
    db,
    `SELECT ${pieceRow} FROM idempotency_keys
     WHERE owner = $1 AND key = $2 AND piece = $3 AND ${fresh('$4')} FOR KEY SHARE`,
    [owner, key, piece, hours],
  );

/**
 * Inserts a piece, or replaces an expired one.
 * @returns false if another request has used the key in the meantime.
 */
export const insertPiece = async (
  tx: Queryable,
  { owner, key }: KeyId,
  piece: number,
  { fingerprint, answer, isLast }: PieceRow,
  hours: number,
): Promise<boolean> =>
  (await row(
    tx,
    `INSERT INTO idempotency_keys AS k (owner, key, piece, fingerprint, answer, is_last)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (owner, key, piece) DO UPDATE
     SET fingerprint = excluded.fingerprint, answer = excluded.answer,
         is_last = excluded.is_last, created_at = excluded.created_at
     WHERE NOT k.${fresh('$7')}
     RETURNING piece`,
    [owner, key, piece, fingerprint, answer, isLast, hours],
  )) !== undefined;

/** What an owner's pieces take, including expired ones that still exist. */
interface KeptPieces {
  readonly pieces: number;
  /** Of the answers, with what their rows take beside. */
  readonly bytes: number;
}

/** What a row takes besides its answer, with its entries in indexes: a key has 255 characters at most. */
export const pieceOverhead = 512;

/** Of at most `limit` pieces. */
export const countPieces = async (
  db: Queryable,
  owner: string,
  limit: number,
): Promise<KeptPieces> =>
  onlyRow(
    db,
    `SELECT count(*)::int AS pieces,
            coalesce(sum(octet_length(answer) + ${pieceOverhead}), 0)::bigint AS bytes
     FROM (SELECT answer FROM idempotency_keys WHERE owner = $1 LIMIT $2) AS k`,
    [owner, limit],
  );

/** Deletes expired pieces, oldest first. @returns the number of deleted pieces. */
export const deleteExpired = async (
  db: Queryable,
  hours: number,
  limit: number,
): Promise<number> => {
  const deleted = await rows(
    db,
    `DELETE FROM idempotency_keys
     WHERE NOT ${fresh('$1')} AND ctid = ANY (ARRAY(
       SELECT ctid FROM idempotency_keys WHERE NOT ${fresh('$1')} ORDER BY created_at LIMIT $2
     ))
     RETURNING 1`,
    [hours, limit],
  );
  return deleted.length;
};
