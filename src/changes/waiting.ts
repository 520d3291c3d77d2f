import { guarded, ignore } from '../guarded.js';
import type { ChangeWatch, Feed, Waiter } from './watch.js';

interface Page {
  readonly changes: readonly unknown[];
}

export interface Patience {
  /** How long to wait, in milliseconds. */
  readonly ms: number;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Waits until there is something, or time is up, the client is gone or the service stops. */
export async function readWithin<P extends Page>(
  watch: ChangeWatch,
  feed: Feed,
  { ms, signal }: Patience,
  read: () => Promise<P>,
): Promise<P> {
  if (ms === 0) return read();
  return watch.join(feed, (waiter) => untilRead(waiter, { ms, signal }, watch.stopping, read));
}

async function untilRead<P extends Page>(
  waiter: Waiter,
  { ms, signal }: Patience,
  stopping: AbortSignal,
  read: () => Promise<P>,
): Promise<P> {
  const until = performance.now() + ms;
  const over = (): boolean => signal.aborted || stopping.aborted || waiter.ended;
  for (;;) {
    const page = await read();
    const left = until - performance.now();
    if (page.changes.length > 0 || left <= 0 || over()) return page;
    await wokenWithin(waiter, { ms: left, signal });
    if (over()) return page; // many end at once, and none of them needs to ask the database again
  }
}

/** Waits for new entries, at most for a time. */
export async function wokenWithin(waiter: Waiter, { ms, signal }: Patience): Promise<void> {
  const wake = guarded(ignore, waiter.wake);
  const timer = setTimeout(wake, ms);
  signal.addEventListener('abort', wake, { once: true });
  try {
    if (!signal.aborted) await waiter.woken();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', wake);
  }
}
