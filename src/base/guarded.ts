/**
 * Makes an event handler (of a stream, socket, timer, or child process) safe: any error that it
 * throws or rejects with goes to `fail`. Handlers run outside any promise, so an uncaught exception
 * would end the process and everyone's requests with it. Lint accepts no other handlers.
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

/** For errors that nobody can act on: the outcome does not matter, or another handler sees it. */
export const ignore = (): void => undefined;
