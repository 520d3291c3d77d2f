/**
 * Makes a handler of events (of a stream, a socket, a timer, a child process) safe to throw: what it
 * throws, or rejects with, goes to `fail`. Handlers run outside any promise, so that an exception of
 * one would end the process and with it everybody's requests. Lint accepts no other handlers.
 *
 * @param fail ends the one request or job that the event belongs to; must not throw.
 */
export const guarded =
  <A extends readonly unknown[]>(
    fail: (error: unknown) => void,
    handler: (...args: A) => unknown,
  ): ((...args: A) => void) =>
  (...args) => {
    try {
      const outcome = handler(...args);
      if (outcome instanceof Promise) outcome.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
