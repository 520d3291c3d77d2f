import { responseTimeoutMs } from './connection.js';
import type { Connection } from './connection.js';
import { FeedExpiredError, ImgstoreError } from './errors.js';
import type { Answer } from './retry.js';

export interface FollowOptions {
  /** Whether to wait for new entries indefinitely instead of ending with the latest; default: true. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

/** Entries per request. */
const limit = 500;
/** Seconds that the server waits for new entries. */
const waitSeconds = 30;

/** Entries, with the number or cursor of the last one; without entries, that of the request. */
interface Page<After> {
  readonly last: After;
  readonly more: boolean;
}

/** A feed that is read after a number or cursor. */
interface Feed<After, P> {
  readonly after: After;
  /** What to do if entries after `after` have expired. */
  readonly remedy: string;
  readonly read: (
    query: { readonly after: After; readonly limit: number; readonly wait: number },
    signal: AbortSignal,
  ) => Promise<Answer<{ result: P }>>;
}

/**
 * The pages of a feed. Failed requests are retried; with `follow`, indefinitely, until the signal or
 * until the caller leaves the loop.
 * @throws FeedExpiredError, ImgstoreError, UnansweredError, and the reason of the signal.
 */
export async function* feedPages<After extends number | string | undefined, P extends Page<After>>(
  connection: Connection,
  { after, remedy, read }: Feed<After, P>,
  { follow = true, signal }: FollowOptions,
): AsyncGenerator<P, void, undefined> {
  const wait = follow ? waitSeconds : 0;
  for (;;) {
    const query = { after, limit, wait };
    const page = await connection
      .result({
        send: (until) => read(query, until),
        timeoutMs: responseTimeoutMs + wait * 1000,
        signal,
        ...(follow && { attempts: Infinity }),
      })
      .catch((error: unknown) => {
        const expired = error instanceof ImgstoreError && error.code === 'feed_expired';
        throw expired ? new FeedExpiredError(after, remedy, error.details) : error;
      });
    yield page;
    after = page.last;
    if (!follow && !page.more) return;
  }
}
