import { currentBearer } from './callers.js';
import { rows } from './sql.js';
import type { Queryable } from './sql.js';

/**
 * Who makes a change, according to the change feed; the user unless a transaction sets another
 * actor.
 */
export type Actor = 'user' | 'platform' | 'admin' | 'system';

/**
 * Always true: attributes the rest of the transaction to a token. Part of the statement that begins
 * a change, so that it costs no round trip. @param token placeholder for the result of
 * `currentToken`.
 */
export const byToken = (token: string): string =>
  `set_config('imgstore.token', ${token}, true) IS NOT NULL`;

/** The id of the current request's token; empty outside of requests. */
export const currentToken = (): string => currentBearer()?.token ?? '';

/** Attributes the rest of the transaction to an actor. */
export const actAs = (tx: Queryable, actor: Actor): Promise<unknown> =>
  rows(tx, `SELECT set_config('imgstore.actor', $1, true) WHERE ${byToken('$2')}`, [
    actor,
    currentToken(),
  ]);
