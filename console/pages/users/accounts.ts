import { call } from '../../core/api';
import type { components } from '../../core/api';
import { Problem } from '../../core/problem';
import { session } from '../../core/session';
import { usePages } from '../../core/use-pages';
import { useRead } from '../../core/use-read';
import { accessTo } from '../library/access';

export type Account = components['schemas']['Account'];
type AccountList = components['schemas']['AccountList'];

/** What users are narrowed to and sorted by, as the API takes it. */
export interface Wanted {
  readonly search?: string;
  readonly user_id?: string;
  readonly state?: 'active' | 'suspended' | 'full';
  readonly sort_by?: 'created_at' | 'name' | 'images' | 'storage' | 'last_upload';
  readonly sort_order?: 'asc' | 'desc';
  /** `next_cursor` of the page before. */
  readonly cursor?: string;
}

/** Some of a platform's users. @throws Problem. */
const readAccounts = (
  platform_id: string,
  wanted: Wanted & { readonly page_size: number },
  signal?: AbortSignal,
): Promise<AccountList> => {
  const params = { path: { platform_id }, query: wanted };
  return call((client) =>
    client.GET('/api/v1/platforms/{platform_id}/accounts', { params, ...(signal && { signal }) }),
  );
};

/** Users per request: a screen or two; and the most of the API. */
const pageSize = 200;
const most = 1_000;

/** Pages of a platform's users. @param turn reads all anew when it changes. */
export const useAccounts = (platform: string, wanted: Wanted = {}, turn = 0) =>
  usePages(
    async (cursor, signal) => {
      const asked = { ...wanted, ...(cursor && { cursor }), page_size: pageSize };
      const {
        items,
        total_count: total,
        next_cursor: next,
      } = await readAccounts(platform, asked, signal);
      return { items, total, next };
    },
    [platform, wanted, turn],
  );

/** All users of a platform. */
export async function readAllAccounts(platform: string): Promise<Account[]> {
  const found: Account[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await readAccounts(platform, { page_size: most, ...(cursor && { cursor }) });
    found.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

/** One user with usage. @throws Problem. */
export async function readAccount(
  platform: string,
  user_id: string,
  signal: AbortSignal,
): Promise<Account> {
  const [found] = (await readAccounts(platform, { user_id, page_size: 1 }, signal)).items;
  if (!found) throw new Problem('user_not_found', 'There is no such user.', 404);
  return found;
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

/** Deletes a user with all that is stored, as its platform. @throws Problem, `held` among them. */
export const deleteUser = (user_id: string) =>
  accessTo(user_id).call((client) =>
    client.DELETE('/api/v1/users/{user_id}', { params: { path: { user_id } } }),
  );

export type PlatformLimits = components['schemas']['PlatformLimits'];

/** @param turn reads again when it changes. */
export const useLimits = (platform_id: string, turn: number) =>
  useRead(
    (signal) =>
      call((client) =>
        client.GET('/api/v1/platforms/{platform_id}/limits', {
          params: { path: { platform_id } },
          signal,
        }),
      ),
    [platform_id, turn],
  );

/** The name of a platform, once it is known. An administrator's token reads it from the list. */
export function usePlatformName(platform: string): string | undefined {
  return useRead((signal) => nameOf(platform, signal), [platform]).data;
}

async function nameOf(platform_id: string, signal: AbortSignal): Promise<string | undefined> {
  if (session.value?.scope === 'admin') {
    const all = await call((client) => client.GET('/api/v1/platforms', { signal }));
    return all.find(({ id }) => id === platform_id)?.platform;
  }
  const params = { path: { platform_id } };
  const { platform } = await call((client) =>
    client.GET('/api/v1/platforms/{platform_id}', { params, signal }),
  );
  return platform;
}
