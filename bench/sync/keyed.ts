import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Call } from '../../testkit/client.js';
import { Client } from '../../testkit/client.js';

/** A request and the path that it goes to, whichever node answers. */
export interface KeyedRequest extends Call {
  readonly path: string;
}

/** What a client saw of a request before it was answered. */
export interface Answered<R> {
  readonly result: R;
  /** How often it was sent. */
  readonly sent: number;
  /** Whether it had happened before it was answered. */
  readonly replayed: boolean;
}

/** How long one attempt may take, and how long all of them, in milliseconds. */
const patience = 30_000;
const allPatience = 300_000;
const pauseMs = 150;

const again = new Set(['request_in_progress', 'upload_interrupted', 'rate_limited']);
const mayWork = ({ status, error }: Answer<unknown>): boolean =>
  status >= 500 || again.has(error?.code ?? '');

/**
 * Posts with a key, to one address after the other, until it is answered.
 * @throws what the answer said, if it was refused for good.
 */
export async function keyed<R>(
  addresses: () => Promise<readonly string[]>,
  { path, headers, ...call }: KeyedRequest,
): Promise<Answered<R>> {
  const key = randomUUID();
  const end = Date.now() + allPatience;
  for (let sent = 1; ; sent += 1) {
    const all = await addresses();
    const client = new Client(all[sent % all.length] ?? '');
    const answer = await client
      .request<R>('POST', path, {
        ...{ ...call, headers: { ...headers, 'Idempotency-Key': key } },
        signal: AbortSignal.timeout(patience),
      })
      .catch(() => undefined); // the connection broke
    if (answer?.status === 200) {
      const replayed = answer.headers.get('idempotency-replayed') === 'true';
      return { result: answer.result, sent, replayed };
    }
    if ((answer && !mayWork(answer)) || Date.now() > end) {
      throw new Error(`${path}: ${answer?.status} ${JSON.stringify(answer?.error)}`);
    }
    await delay(pauseMs);
  }
}
