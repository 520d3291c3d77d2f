import { type Queryable, row } from '../src/database/sql.js';
import type { ChangeRecord, PlatformFeed, UserFeed } from '../src/feed/changes/schemas.js';
import type { Answer, Call } from './client.js';
import { eventually } from './eventually.js';
import type { TestService } from './service.js';
import type { Member, Tenant } from './world.js';

/** An entry as text, without its number and time. */
export const entryText = ({ type, action, actor }: ChangeRecord): string =>
  `${type} ${action} ${actor}`;

/** Requests a user's changes, by default with the user's token. */
export const userChanges = (
  { client }: Pick<TestService, 'client'>,
  user: Pick<Member, 'id' | 'token'>,
  query: Record<string, string | number> = {},
  as: Call['as'] = ['User', user.token],
): Promise<Answer<UserFeed>> =>
  client.get<UserFeed>(`/api/v1/users/${user.id}/changes`, { as, query });

/** Requests the changes of all users of a platform. */
export const platformChanges = (
  { client }: TestService,
  { id, token }: Pick<Tenant, 'id' | 'token'>,
  query: Record<string, string | number> = {},
): Promise<Answer<PlatformFeed>> =>
  client.get<PlatformFeed>(`/api/v1/platforms/${id}/changes`, { as: ['Platform', token], query });

const snapshot = async (db: Queryable): Promise<{ oldest: string; next: string }> =>
  (await row<{ oldest: string; next: string }>(
    db,
    `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest,
            pg_snapshot_xmax(pg_current_snapshot())::text AS next`,
  )) ?? { oldest: '0', next: '0' };

/**
 * Waits until the feeds of platforms include everything that is committed: open transactions in other
 * databases of the server delay them, too.
 */
export async function settled(db: Queryable): Promise<void> {
  const { next } = await snapshot(db);
  await eventually('older transactions have ended', async () => {
    const { oldest } = await snapshot(db);
    return BigInt(oldest) >= BigInt(next);
  });
}
