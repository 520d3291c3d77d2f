import { call } from '../../core/api';
import type { components } from '../../core/api';
import { Problem } from '../../core/problem';
import { session } from '../../core/session';

export type Account = components['schemas']['Account'];
type AccountList = components['schemas']['AccountList'];

interface Wanted {
  /** `next_cursor` of the page before. */
  readonly cursor?: string | null;
  readonly size: number;
  readonly search?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Some of a platform's users, oldest first. */
export const readAccounts = (
  platform_id: string,
  { cursor, size, search, signal }: Wanted,
): Promise<AccountList> => {
  const query = { page_size: size, ...(cursor && { cursor }), ...(search && { search }) };
  const params = { path: { platform_id }, query };
  return call((client) =>
    client.GET('/api/v1/platforms/{platform_id}/accounts', { params, ...(signal && { signal }) }),
  );
};

/** Maximum users per page of the API. */
const most = 1_000;

/** All users of a platform. */
export async function readAllAccounts(platform: string): Promise<Account[]> {
  const found: Account[] = [];
  let cursor: string | null = null;
  do {
    const page: AccountList = await readAccounts(platform, { cursor, size: most });
    found.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

/** One user with usage. The API gives that only in lists: a platform looks for the user's name. */
export async function readAccount(
  platform_id: string,
  user_id: string,
  signal: AbortSignal,
): Promise<Account> {
  const search = session.value?.scope === 'platform' ? await nameOf(platform_id, user_id) : '';
  let cursor: string | null = null;
  do {
    const wanted: Wanted = { cursor, size: most, search, signal };
    const page = await readAccounts(platform_id, wanted);
    const found = page.items.find(({ id }) => id === user_id);
    if (found) return found;
    cursor = page.next_cursor;
  } while (cursor !== null);
  throw new Problem('user_not_found', 'There is no such user.', 404);
}

async function nameOf(platform_id: string, user_id: string): Promise<string> {
  const params = { path: { platform_id, user_id } };
  const user = await call((client) =>
    client.GET('/api/v1/platforms/{platform_id}/users/{user_id}', { params }),
  );
  return user.platform_user_id;
}

/** A new access token of a user; those issued before stay valid. */
export async function issueToken(
  platform_id: string,
  { platform_user_id }: Account,
): Promise<string> {
  const params = { path: { platform_id }, query: { platform_user_id } };
  const found = await call((client) =>
    client.GET('/api/v1/platforms/{platform_id}/users', { params }),
  );
  const [user] = Array.isArray(found) ? found : found.items;
  if (!user?.access_token) throw new Problem('user_not_found', 'There is no such user.', 404);
  return user.access_token;
}
