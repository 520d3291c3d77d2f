import { row, rows, type Queryable } from '../../database/sql.js';
import { underUserLock, type UserWork, type Usage } from '../quota/usage.js';

const stale = `completed_at IS NULL AND created_at < now() - make_interval(days => $1)`;

/** The next user, by id, with sets that have been open for longer than `days`. */
const selectStaleOwner = (
  db: Queryable,
  days: number,
  after?: string,
): Promise<{ userId: string } | undefined> =>
  row(
    db,
    `SELECT user_id AS "userId" FROM upload_sets
     WHERE ${stale} AND ($2::uuid IS NULL OR user_id > $2) ORDER BY user_id LIMIT 1`,
    [days, after ?? null],
  );

/**
 * Deletes the user's oldest sets that have been open for longer than `days`. @returns the number of
 * deleted sets.
 */
async function deleteStaleSets(
  tx: Queryable,
  userId: string,
  days: number,
  limit: number,
): Promise<number> {
  const deleted = await rows(
    tx,
    `DELETE FROM upload_sets WHERE id IN (
       SELECT id FROM upload_sets WHERE ${stale} AND user_id = $2 ORDER BY created_at LIMIT $3
     ) RETURNING id`,
    [days, userId, limit],
  );
  return deleted.length;
}

/** Sets deleted in one transaction, each with up to 10,000 files. */
const setsAtOnce = 10;

export interface ExpiryOptions {
  readonly db: UserWork['db'];
  readonly usage: Pick<Usage, 'lock'>;
  /** How long a set may stay open. */
  readonly days: number;
  /** Stops the run after the current transaction. */
  readonly signal?: AbortSignal;
}

/** Deletes sets that were left open, oldest first. @returns the number of deleted sets. */
export async function forgetStaleSets({
  db,
  usage,
  days,
  signal,
}: ExpiryOptions): Promise<{ uploadSets: number }> {
  let uploadSets = 0;
  for (let after: string | undefined; !signal?.aborted;) {
    const owner = await selectStaleOwner(db, days, after);
    if (!owner) break;
    after = owner.userId;
    for (let deleted = setsAtOnce; deleted === setsAtOnce && !signal?.aborted;) {
      deleted =
        (await underUserLock({ db, usage, actor: 'system' }, owner.userId, (tx) =>
          deleteStaleSets(tx, owner.userId, days, setsAtOnce),
        )) ?? 0;
      uploadSets += deleted;
    }
  }
  return { uploadSets };
}
