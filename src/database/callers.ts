import {
  contextBearer,
  contextCaller,
  runOutside,
  runWithin,
  type Bearer,
} from '../base/telemetry/context.js';
import { rows, type Queryable } from './sql.js';

export type { Bearer };

const linkPrefix = 'links of ';

/** All who bear signed links of an owner, as one caller, whose share is smaller than the owner's. */
export const linkBearers = (owner: string): string => linkPrefix + owner;

/** @param share of a caller who holds a token. */
export const shareOf = (caller: string, share: number): number =>
  caller.startsWith(linkPrefix) ? Math.max(1, Math.floor(share / 4)) : share;

/**
 * Runs work on behalf of a caller: database connections taken here and in everything awaited count
 * toward the caller's share (docs/adr/0017).
 * @param caller id of a user or platform, or a fixed word for callers without one.
 * @param bearer the token of the caller; changes are attributed to it.
 */
export const runAsCaller = <T>(caller: string, work: () => T, bearer?: Bearer): T =>
  runWithin({ caller, bearer }, work);

/** Runs internal work of imgstore that a request happens to start. */
export const withoutCaller = runOutside;

/** The current caller; undefined for internal work of imgstore, such as jobs. */
export const currentCaller = contextCaller;

/** The token of the current request; undefined outside of requests. */
export const currentBearer = contextBearer;

/**
 * The same items, produced on behalf of the current caller even if a stream pulls them elsewhere.
 */
export function keepCaller<T>(items: AsyncGenerator<T>): AsyncIterable<T> {
  const [caller, bearer] = [currentCaller(), currentBearer()];
  if (caller === undefined) return items;
  const resume = <R>(work: () => R): R => runAsCaller(caller, work, bearer);
  const iterator: AsyncIterator<T> = {
    next: () => resume(() => items.next()),
    return: () => resume(() => items.return(undefined)),
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

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
