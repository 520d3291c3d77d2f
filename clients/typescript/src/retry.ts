import { ImgstoreError, UnansweredError } from './errors.js';
import type { Failure } from './records.js';
import { pause, within } from './within.js';

/** How requests are repeated that were not answered, or that the server asks to be repeated. */
export interface RetryOptions {
  /** How often a request is sent at most; default: 8. */
  readonly attempts?: number;
  /** Milliseconds to wait after the first attempt, twice as many after each further one; default: 500. */
  readonly pauseMs?: number;
}

/** The longest pause that this side chooses, in milliseconds. */
const longestPauseMs = 30_000;
/** What the server may ask for in `Retry-After`; for longer, the caller decides. */
const longestRetryAfterMs = 5 * 60_000;

/** Answers of 4xx that tell of a moment or of the network, not of the request. */
const passing = new Set(['request_in_progress', 'upload_interrupted']);

/** As openapi-fetch gives it. */
export interface Answer<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

export interface Sending<Data, Result> extends RetryOptions {
  readonly send: (signal: AbortSignal) => Promise<Answer<Data>>;
  /** @returns undefined if this is no answer of imgstore's, but of a network that asks to sign in, say. */
  readonly take: (data: Data) => Result | undefined;
  /** Milliseconds after which an attempt is given up. */
  readonly limitMs: number;
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request until it is answered for good.
 * @throws ImgstoreError if it is refused, UnansweredError, and the reason of the signal.
 */
export async function persist<Data, Result>(sending: Sending<Data, Result>): Promise<Result> {
  const { attempts = 8, pauseMs = 500, signal } = sending;
  for (let failed = 1; ; failed += 1) {
    const { result, failure, retryAfterMs = 0 } = await attempt(sending);
    if (result !== undefined) return result;
    if (failed >= attempts || retryAfterMs > longestRetryAfterMs) {
      const message = `No answer after ${failed} attempts; the last one failed: ${String(failure)}`;
      throw new UnansweredError(message, failure, sending.key);
    }
    const longest = Math.min(longestPauseMs, pauseMs * 2 ** (failed - 1));
    // At random, so that many clients do not return at the same moment.
    const chosen = longest * (0.5 + Math.random() / 2);
    await pause(Math.max(retryAfterMs, chosen), signal);
  }
}

interface Outcome<Result> {
  readonly result?: Result | undefined;
  readonly failure?: unknown;
  readonly retryAfterMs?: number;
}

async function attempt<Data, Result>(sending: Sending<Data, Result>): Promise<Outcome<Result>> {
  const { send, take, limitMs, signal } = sending;
  let answer: Answer<Data>;
  try {
    answer = await within(limitMs, signal, send);
  } catch (failure) {
    signal?.throwIfAborted();
    return { failure };
  }
  const { data, response } = answer;
  if (response.ok) {
    const failure = new TypeError(`This is no answer of imgstore: ${response.url}`);
    return { result: data ? take(data) : undefined, failure };
  }
  const failure = errorOf(answer);
  if (!isPassing(failure)) throw failure;
  return { failure, retryAfterMs: retryAfterOf(response) };
}

const isPassing = ({ status, code }: ImgstoreError): boolean =>
  status >= 500 || status === 408 || status === 429 || passing.has(code);

/** What was answered, by imgstore or by a proxy in front of it. */
function errorOf({ error, response: { status, statusText } }: Answer<unknown>): ImgstoreError {
  const refusal = (error as Partial<Failure> | undefined)?.error;
  if (!refusal) return new ImgstoreError(status, `http_${status}`, statusText);
  return new ImgstoreError(status, refusal.code, refusal.message, refusal.field, refusal.details);
}

/** `Retry-After` is in seconds; of proxies, it may be a date. */
function retryAfterOf({ headers }: Response): number {
  const value = headers.get('Retry-After') ?? '0';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? 0 : ms;
}
