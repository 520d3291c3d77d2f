import { rows } from './sql.js';
import type { Queryable } from './sql.js';

/** Who changes something, as the change feed tells it; the user unless a transaction says otherwise. */
export type Actor = 'user' | 'platform' | 'admin' | 'system';

/** Has the rest of the transaction count as done by someone. */
export const actAs = (tx: Queryable, actor: Actor): Promise<unknown> =>
  rows(tx, `SELECT set_config('imgstore.actor', $1, true)`, [actor]);
