import { guarded, ignore } from '../../base/guarded.js';
import type { ChangeWatch, Feed, Waiter } from './watch.js';

interface Page {
  readonly changes: readonly unknown[];
}

export interface WaitOptions {
  /** How long to wait, in milliseconds. */
  readonly ms: number;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Waits until there are entries, the time is up, the client disconnects, or the service stops. */
export async function readWithin<P extends Page>(
  watch: ChangeWatch,
  feed: Feed,
  { ms, signal }: WaitOptions,
  read: () => Promise<P>,
): Promise<P> {
  if (ms === 0) return read();
  return watch.join(feed, (waiter) => pollUntilRead(waiter, { ms, signal }, watch.stopping, read));
}

async function pollUntilRead<P extends Page>(
  waiter: Waiter,
  { ms, signal }: WaitOptions,
  stopping: AbortSignal,
  read: () => Promise<P>,
): Promise<P> {
  const until = performance.now() + ms;
  const isOver = (): boolean => signal.aborted || stopping.aborted || waiter.ended;
  for (;;) {
    const page = await read();
    const left = until - performance.now();
    if (page.changes.length > 0 || left <= 0 || isOver()) return page;
    await waitUntilWoken(waiter, { ms: left, signal });
    if (isOver()) return page; // many requests may end at once, and none of them needs another query
  }
}

/** Waits until the waiter is woken, for `ms` milliseconds at most. */
export async function waitUntilWoken(waiter: Waiter, { ms, signal }: WaitOptions): Promise<void> {
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
