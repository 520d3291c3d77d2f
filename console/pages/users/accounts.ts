import { call } from '../../core/api';
import type { components } from '../../core/api';

export type Account = components['schemas']['Account'];
type AccountList = components['schemas']['AccountList'];

interface Wanted {
  readonly from: number;
  readonly size: number;
  readonly search?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Some of a platform's users, oldest first. */
export const readAccounts = (
  platform_id: string,
  { from, size, search, signal }: Wanted,
): Promise<AccountList> => {
  const query = { page_size: size, last_index: from, ...(search && { search }) };
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
  for (let from = 0, more = true; more;) {
    const page = await readAccounts(platform, { from, size: most });
    found.push(...page.items);
    from = page.last_index;
    more = page.count === most;
  }
  return found;
}
