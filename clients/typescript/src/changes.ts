import { answerMs } from './connection.js';
import type { Connection } from './connection.js';
import { FeedExpiredError, ImgstoreError } from './errors.js';
import type { Change } from './records.js';

export interface ChangesOptions {
  /** Number (`seq`) of the last entry that is known; default: 0, none. */
  readonly after?: number;
  /** Whether to wait for what comes, for ever, instead of ending with what is there; default: true. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

/** Entries read at a time. */
const limit = 500;
/** Seconds that the server waits for something to tell. */
const waitSeconds = 30;

/**
 * The entries after a number, each once and in order. Whatever fails in between is tried again; one
 * who follows does so until the signal, or until the loop is left.
 * @throws FeedExpiredError, ImgstoreError, UnansweredError, and the reason of the signal.
 */
export async function* changes(
  connection: Connection,
  user_id: string,
  { after = 0, follow = true, signal }: ChangesOptions = {},
): AsyncGenerator<Change, void, undefined> {
  const wait = follow ? waitSeconds : 0;
  for (;;) {
    const params = { path: { user_id }, query: { after, limit, wait } };
    const page = await connection
      .result({
        send: (until) =>
          connection.client.GET('/api/v1/users/{user_id}/changes', { params, signal: until }),
        limitMs: answerMs + wait * 1000,
        signal,
        ...(follow && { attempts: Infinity }),
      })
      .catch((error: unknown) => {
        const expired = error instanceof ImgstoreError && error.code === 'feed_expired';
        throw expired ? new FeedExpiredError(after, error.details) : error;
      });
    yield* page.changes;
    after = page.last;
    if (!follow && !page.more) return;
  }
}
