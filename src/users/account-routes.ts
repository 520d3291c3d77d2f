import { operation } from '../http/operation.js';
import type { Operation } from '../http/operation.js';
import type { Accounts } from './accounts.js';
import type { AccountListing } from './listing.js';
import { accountList, accountPage, updatedUser, userChanges, userInfo } from './schemas.js';

export interface AccountParts {
  readonly accounts: Accounts;
  readonly listing: AccountListing;
  /** Highest storage quota that a user may be given, in megabytes. */
  readonly ceilingMb: number | undefined;
}

const user = '/api/v1/users/:user_id' as const;

export const accountOperations = ({ accounts, listing, ceilingMb }: AccountParts): Operation[] => [
  operation(
    {
      id: 'listAccounts',
      method: 'get',
      path: '/api/v1/platforms/:platform_id/accounts',
      scheme: ['Platform', 'Admin'],
      ext: true,
      summary: "List the platform's users with their usage, oldest first, in pages",
      query: accountPage,
      result: accountList,
    },
    ({ path, input, caller }) => listing.page(path.platform_id, input, caller.jti),
  ),
  operation(
    {
      id: 'getPlatformUserInfo',
      method: 'get',
      path: '/api/v1/platforms/:platform_id/users/:user_id/info',
      scheme: 'Platform',
      summary: "Get a user's storage usage and quota (for the platform)",
      result: userInfo,
      errors: ['user_not_found'],
    },
    ({ path }) => accounts.info(path.user_id, path.platform_id),
  ),
  operation(
    {
      id: 'getUserInfo',
      method: 'get',
      path: `${user}/info`,
      scheme: 'User',
      summary: "Get the user's storage usage and quota",
      result: userInfo,
      errors: ['user_not_found'],
    },
    ({ path }) => accounts.info(path.user_id),
  ),
  operation(
    {
      id: 'updateUser',
      method: 'put',
      path: user,
      scheme: 'User',
      summary: "Change the user's storage quota",
      body: userChanges(ceilingMb),
      result: updatedUser,
      errors: ['user_not_found'],
    },
    ({ path, input }) => accounts.limit(path.user_id, input.max_storage_mb),
  ),
];
