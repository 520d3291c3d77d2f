import { currentBearer } from '../../database/callers.js';
import type { Queryable } from '../../database/sql.js';
import { currentOperator } from './operator.js';
import { deleteOldActs, insertAct, selectActs } from './audit.sql.js';
import type { ActRow, ActScope } from './audit.sql.js';

export type { ActRow, ActScope };

/** Acts that the change feed does not contain. */
export type ActName =
  | 'admin.token'
  | 'platform.create'
  | 'platform.rename'
  | 'platform.token'
  | 'platform.revoke'
  | 'platform.suspend'
  | 'platform.resume'
  | 'platform.limit'
  | 'platform.delete'
  | 'platform.deleted'
  | 'user.create'
  | 'user.token'
  | 'user.suspend'
  | 'user.resume'
  | 'user.quota'
  | 'user.delete'
  | 'console.link'
  | 'console.session'
  | 'keys.replace'
  | 'keys.rotate'
  | 'store.migrate'
  | 'store.clear'
  | 'trash.empty'
  | 'job.run'
  | 'webhook.create'
  | 'webhook.update'
  | 'webhook.delete'
  | 'webhook.rotate'
  | 'webhook.pause'
  | 'webhook.resume'
  | 'webhook.replay';

export interface Act {
  readonly act: ActName;
  readonly platformId?: string | undefined;
  readonly userId?: string | undefined;
  /** Nothing secret, and no personal data. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Records an act and its actor: the token of the current request, the operator at the terminal, or
 * imgstore itself. @param tx the transaction of the act.
 */
export function noteAct(tx: Queryable, { act, platformId, userId, details }: Act) {
  const bearer = currentBearer();
  const operator = bearer ? undefined : currentOperator();
  return insertAct(tx, {
    act,
    actor: bearer?.scope ?? (operator === undefined ? 'system' : 'operator'),
    operator: operator ?? null,
    tokenId: bearer?.token ?? null,
    platformId: platformId ?? null,
    userId: userId ?? null,
    details: details ?? null,
  });
}

/** The newest acts, newest first. */
export const readActs = (db: Queryable, scope: ActScope): Promise<ActRow[]> =>
  selectActs(db, scope);

/** Acts deleted in one statement. */
const batchSize = 5_000;

/** Deletes acts that are older. @returns how many. */
export async function expireActs(
  db: Queryable,
  { days, signal }: { days: number; signal?: AbortSignal },
): Promise<{ acts: number }> {
  let acts = 0;
  for (let some = batchSize; some === batchSize && !signal?.aborted; acts += some) {
    some = await deleteOldActs(db, days, batchSize);
  }
  return { acts };
}
