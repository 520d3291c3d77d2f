import type { Writable } from 'node:stream';
import { guarded, ignore } from '../../base/guarded.js';
import { minuteMs, secondMs } from '../../base/units.js';
import { StreamedResponse, writeChunk } from '../../http/streamed-response.js';
import type { ChangeWatch, Feed, Waiter } from './watch.js';

interface Page {
  readonly changes: readonly unknown[];
}

interface WaitOptions {
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

export const eventStream = 'text/event-stream';

/** Maximum silence of a stream, in milliseconds; after that, a comment keeps it alive. */
const quietMs = 15 * secondMs;
/**
 * Maximum duration of a stream, in milliseconds; the client then reconnects, which checks its token
 * again.
 */
const streamMs = 15 * minuteMs;
/** How soon the client reconnects, in milliseconds. */
const reconnectMs = secondMs;

/** Entries read per query. */
export const eventsAtOnce = 500;

/** Entries of a feed as events. */
type Events = readonly { readonly id: string; readonly entry: object }[];

const headers = {
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no', // proxies forward each event immediately
};

/**
 * A feed as server-sent events, at the pace of the client.
 * @param read the entries after those that it returned before.
 */
export const streamEvents = (
  watch: ChangeWatch,
  feed: Feed,
  read: () => Promise<Events>,
): StreamedResponse =>
  new StreamedResponse(headers, (destination, signal) =>
    watch.join(feed, async (waiter) => {
      await send({ watch, waiter, read }, destination, signal);
      destination.end();
    }),
  );

interface Sending {
  readonly watch: ChangeWatch;
  readonly waiter: Waiter;
  readonly read: () => Promise<Events>;
}

async function send(
  { watch, waiter, read }: Sending,
  destination: Writable,
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + streamMs;
  let found = await read(); // before the first byte, so that a failure is an ordinary error response
  let quietSince = performance.now();
  await writeChunk(destination, `retry: ${reconnectMs}\n\n`, signal);
  while (performance.now() < until && !watch.stopping.aborted && !waiter.ended) {
    if (found.length > 0) {
      await writeChunk(destination, found.map(eventText).join(''), signal);
      quietSince = performance.now();
    } else {
      const ms = quietMs - (performance.now() - quietSince);
      if (ms > 0) await waitUntilWoken(waiter, { ms, signal });
      else {
        await writeChunk(destination, ':\n\n', signal);
        quietSince = performance.now();
      }
    }
    signal.throwIfAborted();
    found = await read();
  }
}

const eventText = ({ id, entry }: Events[number]): string =>
  `id: ${id}\ndata: ${JSON.stringify(entry)}\n\n`;
