import type { DataSource } from 'typeorm';
import { NIL } from 'uuid';
import type { Queryable } from '../../database/sql.js';
import { tryLockWithin } from '../../http/idempotency/key-locks.js';
import { underUserLock } from '../quota/usage.js';
import { lockName } from './turns.js';
import * as queries from './uploads.sql.js';

/** Uploads that are looked at per statement. */
const batchSize = 500;

interface ExpiryOptions {
  readonly db: DataSource;
  /** For which an ended upload is remembered. */
  readonly hours: number;
  /** Stops the run after the current upload. */
  readonly signal?: AbortSignal;
}

/**
 * Ends uploads that nobody has continued in time, and forgets those that are over, oldest first. One that
 * a request writes to is left alone.
 */
export async function expireUploads({ db, hours, signal }: ExpiryOptions) {
  const counts = { ended: 0, forgotten: 0 };
  let after = { id: NIL as string, expiresAt: '-infinity' };
  for (let isLast = false; !isLast && !signal?.aborted;) {
    const due = await queries.selectDue(db, after, batchSize);
    isLast = due.length < batchSize;
    after = due.at(-1) ?? after;
    const over = due.filter(({ state }) => state !== 'receiving').map(({ id }) => id);
    await queries.forgetOver(db, over);
    counts.forgotten += over.length;
    for (const { id, userId } of due.filter(({ state }) => state === 'receiving')) {
      if (signal?.aborted) break;
      const ended = await underUserLock(db, userId, async (tx) => {
        if (!(await tryLockWithin(tx, lockName(id)))) return false;
        if (!(await queries.isOverdue(tx, id))) return false;
        return queries.closeUpload(tx, id, { state: 'ended' }, hours);
      });
      if (ended) counts.ended += 1;
    }
  }
  return counts;
}

/** Open uploads by what they wait for: bytes (`receiving`), or to be stored (`complete`). */
export const countOpenUploads = (
  db: Queryable,
): Promise<Record<'receiving' | 'complete', number>> => queries.countByState(db);

/** Drops all open uploads: after a restore, since backups do not have their pieces. */
export const dropOpenUploads = (db: Queryable): Promise<unknown> => queries.dropOpen(db);

/** The keys of all pieces, in batches. */
export async function* pieceKeys(db: Queryable): AsyncGenerator<readonly string[]> {
  for (let after = '', isLast = false; !isLast;) {
    const keys = await queries.selectPieceKeys(db, after, batchSize);
    if (keys.length > 0) yield keys;
    isLast = keys.length < batchSize;
    after = keys.at(-1) ?? after;
  }
}
