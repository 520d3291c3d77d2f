import { contextCaller, runOutside, runWithin } from '../telemetry/context.js';

/**
 * Runs work on behalf of a caller: database connections taken here and in everything awaited count
 * toward the caller's share (docs/adr/0017).
 * @param caller id of a user or platform, or a fixed word for callers without one.
 */
export const runAsCaller = <T>(caller: string, work: () => T): T => runWithin({ caller }, work);

/** Runs imgstore's own work that a request happens to begin. */
export const withoutCaller = runOutside;

/** The current caller; undefined for imgstore's own work, such as jobs. */
export const currentCaller = contextCaller;

/**
 * The same items, produced on behalf of the current caller even when a stream pulls them elsewhere.
 */
export function keepCaller<T>(items: AsyncGenerator<T>): AsyncIterable<T> {
  const caller = currentCaller();
  if (caller === undefined) return items;
  const iterator: AsyncIterator<T> = {
    next: () => runAsCaller(caller, () => items.next()),
    return: () => runAsCaller(caller, () => items.return(undefined)),
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
