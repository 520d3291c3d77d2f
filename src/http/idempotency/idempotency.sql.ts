import { only, selectList, type RowOf } from '../../database/columns.js';
import { countRows, exists, type Queryable, row, rows } from '../../database/sql.js';
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
export const selectPiece = (db: Queryable, { owner, key }: KeyId, piece: number, hours: number) =>
  row<PieceRow>(
    db,
    `SELECT ${pieceRow} FROM idempotency_keys
     WHERE owner = $1 AND key = $2 AND piece = $3 AND ${fresh('$4')} FOR KEY SHARE`,
    [owner, key, piece, hours],
  );

/**
 * Inserts a piece, or replaces an expired one.
 * @returns false if another request has used the key in the meantime.
 */
export const insertPiece = (
  tx: Queryable,
  { owner, key }: KeyId,
  piece: number,
  { fingerprint, answer, isLast }: PieceRow,
  hours: number,
) =>
  exists(
    tx,
    `INSERT INTO idempotency_keys AS k (owner, key, piece, fingerprint, answer, is_last)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (owner, key, piece) DO UPDATE
     SET fingerprint = excluded.fingerprint, answer = excluded.answer,
         is_last = excluded.is_last, created_at = excluded.created_at
     WHERE NOT k.${fresh('$7')}
     RETURNING piece`,
    [owner, key, piece, fingerprint, answer, isLast, hours],
  );

/** What a row takes besides its answer, with its entries in indexes: a key has 255 characters at most. */
export const pieceOverhead = 512;

/** Deletes an owner's oldest answers beyond this many pieces or bytes, each as a whole. */
export const deleteOldest = (db: Queryable, owner: string, pieces: number, bytes: number) =>
  rows(
    db,
    // The pieces of an answer are of one moment and key, so that the window counts them together.
    `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM (
         SELECT ctid, count(*) OVER newer AS pieces,
                sum(octet_length(answer) + ${pieceOverhead}) OVER newer AS bytes
         FROM idempotency_keys WHERE owner = $1
         WINDOW newer AS (ORDER BY created_at DESC, key)
       ) AS k
       WHERE pieces > $2 OR bytes > $3
     ))
     RETURNING 1`,
    [owner, pieces, bytes],
  );

/** Deletes an answer. */
export const deletePieces = (db: Queryable, { owner, key }: KeyId): Promise<unknown> =>
  row(db, 'DELETE FROM idempotency_keys WHERE owner = $1 AND key = $2 RETURNING 1', [owner, key]);

/** Deletes expired pieces, oldest first. @returns the number of deleted pieces. */
export const deleteExpired = (db: Queryable, hours: number, limit: number) =>
  countRows(
    db,
    `DELETE FROM idempotency_keys
     WHERE NOT ${fresh('$1')} AND ctid = ANY (ARRAY(
       SELECT ctid FROM idempotency_keys WHERE NOT ${fresh('$1')} ORDER BY created_at LIMIT $2
     ))
     RETURNING 1`,
    [hours, limit],
  );
