import type { Client } from 'openapi-fetch';
import { persist } from './retry.js';
import type { Answer, RetryOptions, Sending } from './retry.js';
import type { paths } from './schema.js';

/** Milliseconds within which a request without a file is answered, or given up. */
export const answerMs = 60_000;

type Enveloped<Result> = Omit<Sending<{ result: Result }, Result>, 'take' | 'limitMs'> & {
  readonly limitMs?: number;
};

/** A client whose answers are JSON, where the server has streams too. */
export type JsonClient = Client<paths, 'application/json'>;

/** The client's requests, sent until they are answered. */
export class Connection {
  constructor(
    readonly client: JsonClient,
    private readonly retry: RetryOptions,
  ) {}

  /** @throws ImgstoreError, UnansweredError, and the reason of the signal. */
  result<Result>(sending: Enveloped<Result>): Promise<Result> {
    const take = ({ result }: { result: Result }): Result | undefined => result;
    return persist({ limitMs: answerMs, ...this.retry, ...sending, take });
  }

  /** The body of an answer as it comes. The signal of `send` does not end it. */
  stream(
    send: (signal: AbortSignal) => Promise<Answer<ReadableStream<Uint8Array> | null>>,
    signal: AbortSignal | undefined,
  ): Promise<ReadableStream<Uint8Array>> {
    return persist({
      limitMs: answerMs,
      ...this.retry,
      send,
      signal,
      take: (body) => body ?? undefined,
    });
  }
}

/** Lists of many thousands are shorter as JSON than as fields of a form. */
export const asJson = (body: unknown): string => JSON.stringify(body);
