import { ImgstoreError, UnansweredError } from './errors.js';
import type { Failure } from './records.js';
import { pause, within } from './within.js';

/** How to retry requests that got no response, or that the server asks to be repeated. */
export interface RetryOptions {
  /** Maximum number of attempts; default: 8. */
  readonly attempts?: number;
  /** Milliseconds to wait after the first attempt, doubled after each further one; default: 500. */
  readonly pauseMs?: number;
}

/** The longest pause that the client chooses, in milliseconds. */
const maxPauseMs = 30_000;
/** The longest `Retry-After` that is waited for; beyond that, the caller decides. */
const maxRetryAfterMs = 5 * 60_000;

/** Codes of 4xx responses caused by a temporary state or the network, not by the request itself. */
const transientCodes = new Set(['request_in_progress', 'upload_interrupted', 'wrong_offset']);

/** A response as openapi-fetch returns it. */
export interface Answer<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

export interface Sending<Data, Result> extends RetryOptions {
  readonly send: (signal: AbortSignal) => Promise<Answer<Data>>;
  /** @returns undefined if the response is not from imgstore but, for example, from a captive portal. */
  readonly take: (data: Data) => Result | undefined;
  /** Milliseconds after which an attempt times out. */
  readonly timeoutMs: number;
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Retries a request until it gets a final response.
 * @throws ImgstoreError if it is rejected, UnansweredError, and the reason of the signal.
 */
export async function persist<Data, Result>(sending: Sending<Data, Result>): Promise<Result> {
  const { attempts = 8, pauseMs = 500, signal } = sending;
  for (let failed = 1; ; failed += 1) {
    const { result, failure, retryAfterMs = 0 } = await attempt(sending);
    if (result !== undefined) return result;
    if (failed >= attempts || retryAfterMs > maxRetryAfterMs) {
      const message = `No response after ${failed} attempts; the last one failed: ${String(failure)}`;
      throw new UnansweredError(message, failure, sending.key);
    }
    const longest = Math.min(maxPauseMs, pauseMs * 2 ** (failed - 1));
    // Jitter keeps many clients from returning at the same moment.
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
  const { send, take, timeoutMs, signal } = sending;
  let answer: Answer<Data>;
  try {
    answer = await within(timeoutMs, signal, send);
  } catch (failure) {
    signal?.throwIfAborted();
    return { failure };
  }
  const { data, response } = answer;
  if (response.ok) {
    const failure = new TypeError(`This response is not from imgstore: ${response.url}`);
    return { result: data ? take(data) : undefined, failure };
  }
  const failure = errorOf(answer);
  if (!isTransient(failure)) throw failure;
  return { failure, retryAfterMs: retryAfterOf(response) };
}

/** Too late, locked by another request, and too many: answers to HEAD have no code. */
const transientStatuses = new Set([408, 423, 429]);

const isTransient = ({ status, code }: ImgstoreError): boolean =>
  status >= 500 || transientStatuses.has(status) || transientCodes.has(code);

/** The error in a response from imgstore or from a proxy in front of it. */
function errorOf({ error, response: { status, statusText } }: Answer<unknown>): ImgstoreError {
  const refusal = (error as Partial<Failure> | undefined)?.error;
  if (!refusal) return new ImgstoreError(status, `http_${status}`, statusText);
  return new ImgstoreError(status, refusal.code, refusal.message, refusal.field, refusal.details);
}

/** `Retry-After` is in seconds; from proxies, it may be a date. */
function retryAfterOf({ headers }: Response): number {
  const value = headers.get('Retry-After') ?? '0';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? 0 : ms;
}
