import type { DataSource } from 'typeorm';
import { NIL } from 'uuid';
import { column, exists, onlyRow, type Queryable, rows } from '../../database/sql.js';
import { tryLockWithin } from '../../http/idempotency/key-locks.js';
import { underUserLock } from '../quota/usage.js';
import type { UploadState } from './entity.js';
import { lockName } from './turns.js';
import { closeUpload, type UploadId } from './uploads.sql.js';

/** Uploads that are looked at per statement. */
const batchSize = 500;

interface ExpiryOptions {
  readonly db: DataSource;
  /** For which an ended upload is remembered. */
  readonly hours: number;
  /** Stops the run after the current upload. */
  readonly signal?: AbortSignal;
}

interface Due extends UploadId {
  readonly state: UploadState;
  /** As text, which is more precise. */
  readonly expiresAt: string;
}

/** Uploads whose time is over, after an earlier one. */
const selectDue = (db: Queryable, after: Pick<Due, 'expiresAt' | 'id'>) =>
  rows<Due>(
    db,
    `SELECT id, user_id AS "userId", state, expires_at::text AS "expiresAt"
     FROM resumable_uploads
     WHERE expires_at < now() AND (expires_at, id) > ($1::timestamptz, $2::uuid)
     ORDER BY expires_at, id LIMIT $3`,
    [after.expiresAt, after.id, batchSize],
  );

const forgetOver = `DELETE FROM resumable_uploads
  WHERE id = ANY ($1::uuid[]) AND state <> 'receiving'`;

const isOverdue = `SELECT FROM resumable_uploads
  WHERE id = $1 AND state = 'receiving' AND expires_at < now()`;

/**
 * Ends uploads that nobody has continued in time, and forgets those that are over, oldest first. One that
 * a request writes to is left alone.
 */
export async function expireUploads({ db, hours, signal }: ExpiryOptions) {
  const counts = { ended: 0, forgotten: 0 };
  let after = { id: NIL as string, expiresAt: '-infinity' };
  for (let isLast = false; !isLast && !signal?.aborted;) {
    const due = await selectDue(db, after);
    isLast = due.length < batchSize;
    after = due.at(-1) ?? after;
    const over = due.filter(({ state }) => state !== 'receiving').map(({ id }) => id);
    await rows(db, forgetOver, [over]);
    counts.forgotten += over.length;
    for (const { id, userId } of due.filter(({ state }) => state === 'receiving')) {
      if (signal?.aborted) break;
      const ended = await underUserLock(db, userId, async (tx) => {
        if (!(await tryLockWithin(tx, lockName(id)))) return false;
        if (!(await exists(tx, isOverdue, [id]))) return false;
        return closeUpload(tx, id, { state: 'ended' }, hours);
      });
      if (ended) counts.ended += 1;
    }
  }
  return counts;
}

/** Open uploads by what they wait for: bytes (`receiving`), or to be stored (`complete`). */
export const countOpenUploads = (db: Queryable) =>
  onlyRow<Record<'receiving' | 'complete', number>>(
    db,
    `SELECT count(*) FILTER (WHERE received < length)::int AS receiving,
            count(*) FILTER (WHERE received = length)::int AS complete
     FROM resumable_uploads WHERE state = 'receiving'`,
  );

/** Drops all open uploads: after a restore, since backups do not have their pieces. */
export const dropOpenUploads = (db: Queryable): Promise<unknown> =>
  rows(db, `DELETE FROM resumable_uploads WHERE state = 'receiving'`);

/** The keys of all pieces, in batches. */
export async function* pieceKeys(db: Queryable): AsyncGenerator<readonly string[]> {
  const sql = 'SELECT key FROM resumable_pieces WHERE key > $1 ORDER BY key LIMIT $2';
  for (let after = '', isLast = false; !isLast;) {
    const keys = await column<string>(db, sql, [after, batchSize]);
    if (keys.length > 0) yield keys;
    isLast = keys.length < batchSize;
    after = keys.at(-1) ?? after;
  }
}
