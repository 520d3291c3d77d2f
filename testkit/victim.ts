import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Client } from './client.js';
import { jpeg } from './pictures.js';
import type { CreatedPlatform, CreatedUser } from './records.js';
import { Member, Tenant } from './world.js';

/** What another user experienced: requests, failures, latencies. */
export interface VictimStats {
  readonly requests: number;
  readonly failures: readonly string[];
  /** Latencies in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface Rhythm {
  /** Milliseconds between requests. */
  readonly pauseMs: number;
  /** Every n-th request is an upload; 0 for none. */
  readonly uploadEach: number;
}

interface Order {
  readonly base: string;
  readonly platform: CreatedPlatform;
  readonly user: CreatedUser;
  readonly rhythm: Rhythm;
}

const limitMs = 70_000;

/**
 * A well-behaved user who sends requests steadily and records failures and latencies, in a thread of
 * its own: beside the attackers, it would measure how long their turns of the event loop take.
 */
export class Victim {
  readonly #thread: Worker;

  private constructor(order: Order) {
    this.#thread = new Worker(new URL(import.meta.url), { workerData: order });
  }

  static async of(user: Member, rhythm: Rhythm = { pauseMs: 50, uploadEach: 10 }): Promise<Victim> {
    const { client, record } = user.tenant;
    const victim = new Victim({ base: client.base, platform: record, user: user.record, rhythm });
    await once(victim.#thread, 'message');
    return victim;
  }

  start(): void {
    this.#thread.postMessage('start');
  }

  /** @returns the failures and latencies since the start. */
  async stop(): Promise<VictimStats> {
    const answer = once(this.#thread, 'message') as Promise<[VictimStats]>;
    this.#thread.postMessage('stop');
    return (await answer)[0];
  }

  async end(): Promise<void> {
    await this.#thread.terminate();
  }
}

async function requests(order: Order, picture: Buffer, signal: AbortSignal): Promise<VictimStats> {
  const user = new Member(new Tenant(new Client(order.base), order.platform), order.user);
  const { pauseMs, uploadEach } = order.rhythm;
  const times: number[] = [];
  const failures: string[] = [];
  for (let n = 1; !signal.aborted; n += 1) {
    const began = performance.now();
    const upload = uploadEach > 0 && n % uploadEach === 0;
    const failure = await request(user, n, upload ? picture : undefined);
    times.push(performance.now() - began);
    if (failure) failures.push(failure);
    await delay(pauseMs);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.ceil(times.length * share) - 1] ?? 0);
  return { requests: times.length, failures, p50: at(0.5), p99: at(0.99) };
}

/** @returns why it failed, if it did. */
async function request(
  user: Member,
  n: number,
  picture: Buffer | undefined,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(limitMs);
  const reads = ['/info', '/images', '/images/count'];
  try {
    const { status, message } = picture
      ? await user.tryUpload({}, picture, signal)
      : await user.call('GET', reads[n % reads.length] as string, { signal });
    return status === 200 ? undefined : `${status} ${message}`;
  } catch (error) {
    return String(error instanceof Error ? (error.cause ?? error.message) : error);
  }
}

if (!isMainThread) {
  const picture = await jpeg({ width: 64, height: 64 });
  let stop = new AbortController();
  let working: Promise<VictimStats> | undefined;
  parentPort?.on('message', (order: 'start' | 'stop') => {
    if (order === 'start') {
      stop = new AbortController();
      working = requests(workerData as Order, picture, stop.signal);
    } else {
      stop.abort();
      void working?.then((stats) => parentPort?.postMessage(stats));
    }
  });
  parentPort?.postMessage('ready');
}
