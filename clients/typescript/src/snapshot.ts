import { responseTimeoutMs } from './connection.js';
import type { Connection } from './connection.js';
import { UnansweredError } from './errors.js';
import type { Folder, Image } from './records.js';
import { within } from './within.js';

/** First the number of the snapshot, then folders, parents first, and images. */
export type SnapshotLine =
  | { readonly type?: undefined; readonly last: number }
  | { readonly type: 'folder'; readonly folder: Folder }
  | { readonly type: 'image'; readonly image: Image };

const lines = { Accept: 'application/x-ndjson' };

/**
 * All folders and images of a user, with memos, customs, and versions, as of one number of the feed.
 * If the loop ends without an error, the snapshot is complete.
 * @throws ImgstoreError, UnansweredError, and the reason of the signal.
 */
export async function* snapshot(
  connection: Connection,
  user_id: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<SnapshotLine, void, undefined> {
  const how = { params: { path: { user_id } }, headers: lines, parseAs: 'stream' } as const;
  const body = await connection.stream(
    (until) => connection.client.GET('/api/v1/users/{user_id}/snapshot', { ...how, signal: until }),
    signal,
  );
  let cause: unknown;
  try {
    for await (const line of linesOf(body, signal)) {
      const record = JSON.parse(line) as SnapshotLine | { readonly end: true };
      if ('end' in record) return;
      yield record;
    }
  } catch (error) {
    signal?.throwIfAborted();
    cause = error;
  }
  throw new UnansweredError('The snapshot was interrupted. Start again with a new one.', cause);
}

/** Yields complete lines only. */
async function* linesOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await within(responseTimeoutMs, signal, () => reader.read());
      if (done) return;
      const found = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = found.pop() ?? '';
      yield* found;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
