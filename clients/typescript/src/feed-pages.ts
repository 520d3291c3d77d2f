import { answerMs } from './connection.js';
import type { Connection } from './connection.js';
import { FeedExpiredError, ImgstoreError } from './errors.js';
import type { Answer } from './retry.js';

export interface FollowOptions {
  /** Whether to wait for what comes, for ever, instead of ending with what is there; default: true. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

/** Entries read at a time. */
const limit = 500;
/** Seconds that the server waits for something to tell. */
const waitSeconds = 30;

/** Entries, and the number or cursor of the last one, or what was asked for if there is none. */
interface Page<After> {
  readonly last: After;
  readonly more: boolean;
}

/** A feed to be read from a number or cursor on. */
interface Feed<After, P> {
  readonly after: After;
  /** What to do when entries after that are no longer kept. */
  readonly wayOut: string;
  readonly read: (
    query: { readonly after: After; readonly limit: number; readonly wait: number },
    signal: AbortSignal,
  ) => Promise<Answer<{ result: P }>>;
}

/**
 * The pages of a feed. Whatever fails in between is tried again; one who follows does so until the
 * signal, or until the loop is left.
 * @throws FeedExpiredError, ImgstoreError, UnansweredError, and the reason of the signal.
 */
export async function* feedPages<After extends number | string | undefined, P extends Page<After>>(
  connection: Connection,
  { after, wayOut, read }: Feed<After, P>,
  { follow = true, signal }: FollowOptions,
): AsyncGenerator<P, void, undefined> {
  const wait = follow ? waitSeconds : 0;
  for (;;) {
    const query = { after, limit, wait };
    const page = await connection
      .result({
        send: (until) => read(query, until),
        limitMs: answerMs + wait * 1000,
        signal,
        ...(follow && { attempts: Infinity }),
      })
      .catch((error: unknown) => {
        const expired = error instanceof ImgstoreError && error.code === 'feed_expired';
        throw expired ? new FeedExpiredError(after, wayOut, error.details) : error;
      });
    yield page;
    after = page.last;
    if (!follow && !page.more) return;
  }
}
