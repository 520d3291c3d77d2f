import { AsyncLocalStorage } from 'node:async_hooks';

/** The token that a request came with. */
export interface Bearer {
  readonly scope: 'admin' | 'platform' | 'user';
  /** The id of the token. */
  readonly token: string;
}

interface Current {
  readonly caller: string;
  readonly bearer: Bearer | undefined;
}

const callers = new AsyncLocalStorage<Current>();

/**
 * Runs work on behalf of a caller: database connections taken here and in everything awaited count
 * toward the caller's share (docs/adr/0017).
 * @param caller id of a user or platform, or a fixed word for callers without one.
 * @param bearer what the caller has shown; what is changed is put down to it.
 */
export const runAsCaller = <T>(caller: string, work: () => T, bearer?: Bearer): T =>
  callers.run({ caller, bearer }, work);

/** Runs imgstore's own work that a request happens to begin. */
export const withoutCaller = <T>(work: () => T): T => callers.exit(work);

/** The current caller; undefined for imgstore's own work, such as jobs. */
export const currentCaller = (): string | undefined => callers.getStore()?.caller;

/** The token of the current request; undefined outside of requests. */
export const currentBearer = (): Bearer | undefined => callers.getStore()?.bearer;

/**
 * The same items, produced on behalf of the current caller even when a stream pulls them elsewhere.
 */
export function keepCaller<T>(items: AsyncGenerator<T>): AsyncIterable<T> {
  const current = callers.getStore();
  if (current === undefined) return items;
  const iterator: AsyncIterator<T> = {
    next: () => callers.run(current, () => items.next()),
    return: () => callers.run(current, () => items.return(undefined)),
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
