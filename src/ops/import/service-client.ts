import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { dependencyDown, failure } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { minuteMs, secondMs } from '../../base/units.js';

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

/** A file that is sent as the part `image_data`, after the fields. */
export interface SentFile {
  readonly path: string;
  readonly bytes: number;
}

interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** Sent as JSON, or as a form if there is a file. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly file?: SentFile;
  readonly idempotencyKey?: string;
}

interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
  /** Seconds. */
  readonly retryAfter: number | undefined;
}

/** The file has changed since it was hashed. */
export class ChangedFileError extends Error {
  override readonly name = 'ChangedFileError';
}

const agent = new Agent({ keepAlive: true, maxFreeSockets: 16 });

/** Sends a request and reads the answer. @throws ChangedFileError, and errors of the connection. */
async function exchange(
  base: string,
  { method, path, fields, file, idempotencyKey }: HttpRequest,
  token: string,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const body = file ? formOf(fields ?? {}, file) : jsonOf(fields);
  const request = httpRequest(new URL(path, base), {
    method,
    agent,
    signal,
    headers: {
      authorization: `User ${token}`,
      ...body.headers,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  const sending = pipeline(Readable.from(body.chunks(), { objectMode: false }), request);
  sending.catch(() => undefined); // it fails if the answer comes before the end
  const [response] = await Promise.race([answered, sending.then(() => answered)]);
  const { statusCode: status = 0, headers } = response;
  const answer = {
    status,
    text: await text(response),
    replayed: headers['idempotency-replayed'] === 'true',
    retryAfter: headers['retry-after'] === undefined ? undefined : Number(headers['retry-after']),
  };
  if (!request.writableEnded) request.destroy();
  return answer;
}

interface Body {
  readonly headers: Readonly<Record<string, string | number>>;
  readonly chunks: () => AsyncGenerator<Buffer>;
}

function jsonOf(fields: HttpRequest['fields']): Body {
  const json = Buffer.from(fields ? JSON.stringify(fields) : '');
  return {
    headers: fields ? { 'content-type': 'application/json', 'content-length': json.length } : {},
    chunks: async function* () {
      if (json.length > 0) yield json;
    },
  };
}

/** Fields come first: the service may be able to answer without reading the file. */
function formOf(fields: Readonly<Record<string, unknown>>, { path, bytes }: SentFile): Body {
  const boundary = `imgstore-${randomUUID()}`;
  const part = (about: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${about}\r\n\r\n`;
  const texts = Object.entries(fields).map(
    ([name, value]) => `${part(`name="${name}"`)}${String(value)}\r\n`,
  );
  const name = basename(path).replaceAll(/["\r\n]/g, (mark) => encodeURIComponent(mark));
  const head = Buffer.from(`${texts.join('')}${part(`name="image_data"; filename="${name}"`)}`);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + bytes + tail.length,
    },
    chunks: async function* () {
      yield head;
      let left = bytes;
      if (bytes > 0) {
        const stream = createReadStream(path, { end: bytes - 1, highWaterMark: 256 * 1024 });
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          left -= chunk.length;
          yield chunk;
        }
      }
      if (left > 0) throw new ChangedFileError(`${path} became shorter`);
      yield tail;
    },
  };
}
