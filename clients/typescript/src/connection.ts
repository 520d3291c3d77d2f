import type { Client } from 'openapi-fetch';
import { persist } from './retry.js';
import type { Answer, RetryOptions, Sending } from './retry.js';
import type { paths } from './schema.js';

/** Milliseconds after which a request without a file times out. */
export const responseTimeoutMs = 60_000;

/** The slowest network on which a request with a file does not time out, in bytes per millisecond. */
const minBytesPerMs = 8;

/** Milliseconds after which a request with so many bytes of a file times out. */
export const timeoutOf = (bytes: number): number => responseTimeoutMs + bytes / minBytesPerMs;

type Enveloped<Result> = Omit<Sending<{ result: Result }, Result>, 'take' | 'timeoutMs'> & {
  readonly timeoutMs?: number;
};

type Headed<Result> = Omit<Sending<Headers, Result>, 'send' | 'timeoutMs'> & {
  readonly send: (signal: AbortSignal) => Promise<Answer<unknown>>;
  readonly timeoutMs?: number;
};

/** A client that expects JSON responses, even where the server can also stream. */
export type JsonClient = Client<paths, 'application/json'>;

/** Sends the client's requests with retries. */
export class Connection {
  constructor(
    readonly client: JsonClient,
    private readonly retry: RetryOptions,
  ) {}

  /** @throws ImgstoreError, UnansweredError, and the reason of the signal. */
  result<Result>(sending: Enveloped<Result>): Promise<Result> {
    const take = ({ result }: { result: Result }): Result | undefined => result;
    return persist({ timeoutMs: responseTimeoutMs, ...this.retry, ...sending, take });
  }

  /** What `take` finds in the headers of a response. @throws as `result` does. */
  headers<Result>({ send, ...sending }: Headed<Result>): Promise<Result> {
    const headersOf = ({ error, response }: Answer<unknown>): Answer<Headers> =>
      response.ok ? { data: response.headers, response } : { error, response };
    return persist({
      timeoutMs: responseTimeoutMs,
      ...this.retry,
      ...sending,
      send: async (signal) => headersOf(await send(signal)),
    });
  }

  /** The body of a response as a stream. The signal of `send` does not end the stream. */
  stream(
    send: (signal: AbortSignal) => Promise<Answer<ReadableStream<Uint8Array> | null>>,
    signal: AbortSignal | undefined,
  ): Promise<ReadableStream<Uint8Array>> {
    return persist({
      timeoutMs: responseTimeoutMs,
      ...this.retry,
      send,
      signal,
      take: (body) => body ?? undefined,
    });
  }
}

/** Lists of many thousands are shorter as JSON than as form fields. */
export const asJson = (body: unknown): string => JSON.stringify(body);
