import { AsyncLocalStorage } from 'node:async_hooks';

const callers = new AsyncLocalStorage<string>();

/**
 * Runs work on somebody's account: the database connections that it takes, here and in all that it
 * awaits, are theirs (docs/adr/0017).
 * @param caller id of a user or platform, or a word for whoever has none.
 */
export const onAccountOf = <T>(caller: string, work: () => T): T => callers.run(caller, work);

/** Whose work this is; undefined for what imgstore does by itself, such as jobs. */
export const currentCaller = (): string | undefined => callers.getStore();

/** The same items, made on the account that this is called on, whoever asks for them: for streams. */
export function charged<T>(items: AsyncGenerator<T>): AsyncIterable<T> {
  const caller = currentCaller();
  if (caller === undefined) return items;
  const iterator: AsyncIterator<T> = {
    next: () => onAccountOf(caller, () => items.next()),
    return: () => onAccountOf(caller, () => items.return(undefined)),
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
