import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, type Call, Client } from '../../testkit/client.js';

/** A request and its path, for any node. */
export interface KeyedRequest extends Call {
  readonly path: string;
}

/** The result of a request, with its attempts. */
export interface Answered<R> {
  readonly result: R;
  /** How often it was sent. */
  readonly sent: number;
  /** Whether the response is a replay, because an earlier attempt had taken effect. */
  readonly replayed: boolean;
}

/** Time limits for one attempt and for all of them, in milliseconds. */
const attemptTimeoutMs = 30_000;
const totalTimeoutMs = 300_000;
const pauseMs = 150;

const again = new Set(['request_in_progress', 'upload_interrupted', 'rate_limited']);
const mayWork = ({ status, error }: Answer<unknown>): boolean =>
  status >= 500 || again.has(error?.code ?? '');

/**
 * Posts with a key to one URL after the other until there is a response.
 * @throws Error with the response if the request is finally rejected.
 */
export async function keyed<R>(
  baseUrls: () => Promise<readonly string[]>,
  { path, headers, ...call }: KeyedRequest,
): Promise<Answered<R>> {
  const key = randomUUID();
  const end = Date.now() + totalTimeoutMs;
  for (let sent = 1; ; sent += 1) {
    const all = await baseUrls();
    const client = new Client(all[sent % all.length] ?? '');
    const answer = await client
      .request<R>('POST', path, {
        ...call,
        headers: { ...headers, 'Idempotency-Key': key },
        signal: AbortSignal.timeout(attemptTimeoutMs),
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
