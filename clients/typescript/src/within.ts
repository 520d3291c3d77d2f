/**
 * Runs `work` with a separate signal, for at most `ms` milliseconds.
 * @throws the reason of the caller's signal, or a `TimeoutError`, even when `work` ignores its own.
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error));
  });
  const stop = (): void => controller.abort(signal?.reason);
  const timeOut = (): void =>
    controller.abort(new DOMException(`There was no response for ${ms} ms.`, 'TimeoutError'));
  signal?.addEventListener('abort', stop);
  const timer = setTimeout(timeOut, ms);
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** @throws the reason of the signal. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener('abort', finish);
  });
}
