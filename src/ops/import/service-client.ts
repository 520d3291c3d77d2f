import { setTimeout as delay } from 'node:timers/promises';
import { dependencyDown, failure } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { minuteMs, secondMs } from '../../base/units.js';
import { exchange } from './exchange.js';
import type { HttpAnswer, HttpRequest } from './exchange.js';

/** How long requests to an unavailable service are retried. */
const retryMs = 5 * minuteMs;

/** Longest pause between two attempts. */
const maxPauseMs = 15 * secondMs;

/** The service refused one request; the next one may succeed. */
export class UploadRefusal extends Error {
  override readonly name = 'UploadRefusal';

  constructor(
    /** Of the service's catalogue. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface ServiceAccess {
  /** URL of the service. */
  readonly base: string;
  /** A fresh access token of the user. */
  readonly token: () => Promise<string>;
  readonly signal: AbortSignal;
}

interface Envelope {
  readonly result: unknown;
  readonly error?: { readonly code?: string; readonly message?: string };
}

export interface Answered<Result> {
  readonly result: Result;
  /** Whether an earlier request with the same idempotency key was answered. */
  readonly replayed: boolean;
}

/** Errors that end an import, since every further request would be refused as well. */
const fatalErrors: ReadonlyMap<string, string | undefined> = new Map([
  [
    'storage_quota_exceeded',
    'Raise max_storage_mb of the user, then run the command again: it resumes.',
  ],
  ['user_not_found', undefined],
  ['forbidden', undefined],
]);

/** Requests to the service on behalf of one user, retried for as long as a retry may succeed. */
export class ServiceClient {
  #token: Promise<string> | undefined;

  constructor(private readonly access: ServiceAccess) {}

  /**
   * @throws Refusal; OperatorError when no further request can succeed; the reason of the signal.
   */
  async call<Result>(request: HttpRequest): Promise<Answered<Result>> {
    const until = performance.now() + retryMs;
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.#attempt(request);
      if (answer && answer.status < 400) {
        return { result: bodyOf(answer).result as Result, replayed: answer.replayed };
      }
      if (answer && !isTemporary(answer.status)) throw refusalOf(answer);
      if (answer?.status === 401) this.#token = undefined;
      if (answer?.status === 401 && attempt === 0) continue;
      if (performance.now() > until) throw unavailable(this.access.base, answer);
      const asked = (answer?.retryAfter ?? 0) * secondMs;
      const pause = Math.min(Math.max(asked, 200 * 2 ** attempt), maxPauseMs);
      await delay(pause, undefined, { signal: this.access.signal });
    }
  }

  /** @returns undefined if there was no answer. */
  async #attempt(request: HttpRequest): Promise<HttpAnswer | undefined> {
    const { base, signal } = this.access;
    signal.throwIfAborted();
    const token = await (this.#token ??= this.access.token());
    try {
      return await exchange(base, request, token, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UploadRefusal || !isConnectionError(error)) throw error;
      return undefined;
    }
  }
}

const isTemporary = (status: number): boolean => [401, 409, 429, 502, 503, 504].includes(status);

const isConnectionError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ERR_STREAM_PREMATURE_CLOSE'].includes(
    String(error.code),
  );

function bodyOf({ text }: HttpAnswer): Envelope {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return { result: undefined };
  }
}

function refusalOf(answer: HttpAnswer): Error {
  const { code = `status_${answer.status}`, message = 'The service refused it.' } =
    bodyOf(answer).error ?? {};
  if (!fatalErrors.has(code)) return new UploadRefusal(code, message);
  const remedy = fatalErrors.get(code);
  return failure(message, remedy === undefined ? {} : { remedy });
}

const unavailable = (base: string, answer: HttpAnswer | undefined): Error =>
  dependencyDown(
    answer
      ? `The service at ${base} has not accepted a request for five minutes (${answer.status} ${bodyOf(answer).error?.code ?? ''}).`
      : `The service at ${base} has not answered for five minutes.`,
    {
      remedy: `Check "${commandLine('status')}", then run the command again: it resumes where it stopped.`,
    },
  );
