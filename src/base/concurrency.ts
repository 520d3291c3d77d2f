import { setTimeout as delay } from 'node:timers/promises';
import { guarded, ignore } from './guarded.js';

/**
 * Runs work one run at a time. All calls during a run share the next run, so every caller gets a
 * result that is newer than its call.
 */
export class SharedRun<T> {
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | undefined;

  constructor(private readonly work: () => Promise<T>) {}

  run(): Promise<T> {
    this.#next ??= this.#running.then(
      () => this.#start(),
      () => this.#start(),
    );
    return this.#next;
  }

  #start(): Promise<T> {
    this.#next = undefined;
    const running = this.work();
    this.#running = running;
    return running;
  }
}

/**
 * Runs `work` with a signal that aborts when `signal` does, or after `ms` milliseconds.
 *
 * AbortSignal.any() with AbortSignal.timeout() does not work here: Node.js 20 collects the timeout
 * as garbage while others wait for it, so it never fires. Lint forbids it.
 */
export async function withDeadline<T>(
  signal: AbortSignal,
  ms: number,
  work: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const expire = (): void => late.abort(new DOMException(`not within ${ms} ms`, 'TimeoutError'));
  const timer = setTimeout(guarded(ignore, expire), ms);
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for work, but no longer than this; it goes on. @returns whether it has ended by then. */
export async function patiently(work: Promise<void>, ms: number): Promise<boolean> {
  const over = new AbortController();
  const late = delay(ms, true, { signal: over.signal }).catch(() => undefined);
  return (await Promise.race([work, late]).finally(() => over.abort())) === undefined;
}

/** Repeats work that does so many at a time until it does fewer. @returns how many in all. */
export async function inBatches(
  size: number,
  signal: AbortSignal | undefined,
  batch: () => Promise<number>,
): Promise<number> {
  let all = 0;
  for (let some = size; some === size && !signal?.aborted; all += some) some = await batch();
  return all;
}

/**
 * Runs `work` for every item, at most `limit` at a time. After the first failure it starts nothing
 * new, waits for running work, then throws the failure.
 */
export async function forEachLimited<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  let failed = false;
  const worker = async (first: IteratorResult<T>): Promise<void> => {
    for (let next = first; !failed && !next.done; next = queue.next()) {
      try {
        await work(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const workers: Promise<void>[] = [];
  while (workers.length < limit) {
    const first = queue.next();
    if (first.done) break;
    workers.push(worker(first));
  }
  const outcomes = await Promise.allSettled(workers);
  const broken = outcomes.find((outcome) => outcome.status === 'rejected');
  if (broken) throw broken.reason;
}

/** Items in groups of at most `size`. */
export async function* inGroups<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** The same items; the next one is being made while the caller handles the last. */
export async function* readAhead<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const source = items[Symbol.asyncIterator]();
  let next = source.next();
  try {
    for (let item = await next; !item.done; item = await next) {
      next = source.next();
      next.catch(() => undefined); // it is awaited later
      yield item.value;
    }
  } finally {
    await next.catch(() => undefined);
    await source.return?.();
  }
}

/** Passes one value on in each interval, not at its beginning; others are not even made. */
export function atMostEach<T>(ms: number, report: (value: T) => void): (make: () => T) => void {
  let last = performance.now();
  return (make) => {
    if (performance.now() - last < ms) return;
    last = performance.now();
    report(make());
  };
}
