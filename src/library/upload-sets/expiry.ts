import type { Usage } from '../quota/usage.js';
import { underUserLock } from '../quota/under-user-lock.js';
import type { UserWork } from '../quota/under-user-lock.js';
import { deleteStaleSets, selectStaleOwner } from './expiry.sql.js';

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
