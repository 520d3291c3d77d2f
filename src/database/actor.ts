import { currentBearer } from './callers.js';
import { rows } from './sql.js';
import type { Queryable } from './sql.js';

/** Who changes something, as the change feed tells it; the user unless a transaction says otherwise. */
export type Actor = 'user' | 'platform' | 'admin' | 'system';

/**
 * Always true: has the rest of the transaction count as done with a token. Part of the statement that
 * begins a change, so that it takes no time of its own.
 * @param token placeholder of what `currentToken` returns.
 */
export const byToken = (token: string): string =>
  `set_config('imgstore.token', ${token}, true) IS NOT NULL`;

/** The id of the current request's token; empty outside of requests. */
export const currentToken = (): string => currentBearer()?.token ?? '';

/** Has the rest of the transaction count as done by someone. */
export const actAs = (tx: Queryable, actor: Actor): Promise<unknown> =>
  rows(tx, `SELECT set_config('imgstore.actor', $1, true) WHERE ${byToken('$2')}`, [
    actor,
    currentToken(),
  ]);
