import type { Connection } from './connection.js';
import { feedPages } from './feed-pages.js';
import type { FollowOptions } from './feed-pages.js';
import type { Change, PlatformChange } from './records.js';

export interface ChangesOptions extends FollowOptions {
  /** Number (`seq`) of the last known entry; default: 0, none. */
  readonly after?: number;
}

/** The entries of a user after a number, each once and in order. */
export async function* changes(
  connection: Connection,
  user_id: string,
  { after = 0, ...how }: ChangesOptions = {},
): AsyncGenerator<Change, void, undefined> {
  const feed = {
    after,
    remedy: 'Take a snapshot(), and call changes() with its "last".',
    read: (query: { after: number; limit: number; wait: number }, signal: AbortSignal) =>
      connection.client.GET('/api/v1/users/{user_id}/changes', {
        params: { path: { user_id }, query },
        signal,
      }),
  };
  for await (const page of feedPages(connection, feed, how)) yield* page.changes;
}

export interface PlatformChangesOptions extends FollowOptions {
  /** `cursor` of the last known entry; by default, the feed starts at the oldest entry that is kept. */
  readonly after?: string;
}

/** An entry, and the cursor to continue from. */
export type FollowedChange = PlatformChange & {
  /**
   * Pass it as `after` to continue after this entry, or slightly before it: entries are delivered in
   * pages, which have a cursor only at their end. Repeated entries have the same `user_id` and `seq`.
   */
  readonly cursor: string | undefined;
};

/** The entries of all users of a platform after a cursor, each once, those of a user in order. */
export async function* platformChanges(
  connection: Connection,
  platform_id: string,
  { after, ...how }: PlatformChangesOptions = {},
): AsyncGenerator<FollowedChange, void, undefined> {
  type Query = { after: string | undefined; limit: number; wait: number };
  const feed = {
    after,
    remedy:
      'Take a snapshot() of each user, and call platformChanges() with "first" of the details.',
    read: ({ after: known, ...rest }: Query, signal: AbortSignal) =>
      connection.client.GET('/api/v1/platforms/{platform_id}/changes', {
        params: {
          path: { platform_id },
          query: { ...rest, ...(known !== undefined && { after: known }) },
        },
        signal,
      }),
  };
  let cursor = after;
  for await (const { changes: entries, last } of feedPages(connection, feed, how)) {
    for (const [n, entry] of entries.entries()) {
      yield { ...entry, cursor: n === entries.length - 1 ? last : cursor };
    }
    cursor = last;
  }
}
