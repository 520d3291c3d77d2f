import { prefersToJson } from '../../http/accept.js';
import { operation, type Operation } from '../../http/operation.js';
import type { Claims } from '../../http/auth/claims.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { secondMs } from '../../base/units.js';
import { eventsAtOnce, eventStream, streamEvents, readWithin } from './events.js';
import {
  platformFeed,
  platformFeedQuery,
  snapshotLines,
  userFeed,
  userFeedQuery,
} from './schemas.js';
import { type Changes, lines, type Snapshots } from './changes.js';
import type { ChangeWatch } from './watch.js';

interface ChangeParts {
  readonly changes: Changes;
  readonly watch: ChangeWatch;
  readonly snapshots: Snapshots;
}

type Header = (name: string) => string | undefined;

/** Whether a request asks for events rather than a page. */
const wantsEvents = (header: Header): boolean => prefersToJson(header('accept'), eventStream);

/** The user whose feed is read, and the platform of the caller, which the user must belong to. */
const ownerOf = (userId: string, reader: Claims) => ({
  userId,
  platformId: reader.platformId ?? '',
  asUser: reader.scope === 'user',
  reader,
});

export const changeOperations = ({ changes, watch, snapshots }: ChangeParts): Operation[] => [
  operation(
    {
      id: 'listChanges',
      allow: ['read'],
      method: 'get',
      path: '/api/v1/users/:user_id/changes',
      scheme: ['User', 'Platform'],
      ext: true,
      waits: true,
      summary: "List changes of the user's records, in order; as events if the client accepts them",
      query: userFeedQuery,
      result: userFeed,
      stream: eventStream,
      errors: ['user_not_found', 'invalid_cursor', 'feed_expired'],
    },
    async ({ path, caller, input, header, signal }) => {
      const owner = ownerOf(path.user_id, caller);
      if (input.wait > 0 || wantsEvents(header)) await changes.assertReader(owner);
      if (!wantsEvents(header)) {
        return readWithin(watch, owner, { ms: input.wait * secondMs, signal }, () =>
          changes.ofUser(owner, input.after, input.limit),
        );
      }
      let after = numberOf(header('last-event-id')) ?? input.after;
      return streamEvents(watch, owner, async () => {
        const page = await changes.ofUser(owner, after, eventsAtOnce);
        after = page.last;
        return page.changes.map((entry) => ({ id: String(entry.seq), entry }));
      });
    },
  ),
  operation(
    {
      id: 'getSnapshot',
      allow: ['read'],
      method: 'get',
      path: '/api/v1/users/:user_id/snapshot',
      scheme: ['User', 'Platform'],
      ext: true,
      summary:
        'Get all folders and images of the user as of one entry of the changes, as JSON lines',
      result: snapshotLines,
      stream: lines,
      errors: ['user_not_found'],
    },
    async ({ path, caller, resolveUrl }) => snapshots.of(ownerOf(path.user_id, caller), resolveUrl),
  ),
  operation(
    {
      id: 'listPlatformChanges',
      allow: ['read'],
      method: 'get',
      path: '/api/v1/platforms/:platform_id/changes',
      scheme: 'Platform',
      ext: true,
      waits: true,
      summary: 'List changes of all users of the platform; as events if the client accepts them',
      query: platformFeedQuery,
      result: platformFeed,
      stream: eventStream,
      errors: ['invalid_cursor', 'feed_expired'],
    },
    async ({ path, caller, input, header, signal }) => {
      const feed = { platformId: path.platform_id, reader: caller };
      if (!wantsEvents(header)) {
        return readWithin(watch, feed, { ms: input.wait * secondMs, signal }, async () => {
          const { page } = await changes.ofPlatform(feed.platformId, input.after, input.limit);
          return page;
        });
      }
      const known = header('last-event-id') ?? '';
      let after = known === '' ? input.after : known;
      return streamEvents(watch, feed, async () => {
        const { page, cursors } = await changes.ofPlatform(feed.platformId, after, eventsAtOnce);
        after = page.last;
        return page.changes.map((entry, n) => ({ id: cursors[n] ?? page.last, entry }));
      });
    },
  ),
];

/** @throws ServiceError `invalid_cursor`. */
function numberOf(id: string | undefined): number | undefined {
  if (id === undefined || id === '') return undefined;
  if (!/^\d{1,15}$/.test(id)) {
    const message = 'Last-Event-ID is not the number of an entry.';
    throw new ServiceError('invalid_cursor', { field: 'Last-Event-ID', message });
  }
  return Number(id);
}
