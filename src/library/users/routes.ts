import { z } from 'zod';
import { operation, type Operation } from '../../http/operation.js';
import type { Accounts } from './accounts.js';
import {
  accountList,
  accountPage,
  createdUser,
  deletedUser,
  listedUser,
  newUser,
  updatedUser,
  userChanges,
  userFilter,
  userInfo,
  userPage,
  userRecord,
  userState,
  type DeletedUser,
} from './schemas.js';
import type { Users } from './users.js';

interface UserParts {
  readonly users: Users;
  readonly accounts: Accounts;
  /** Deletes a user with all folders and images. */
  readonly remove: (userId: string) => Promise<DeletedUser>;
  /** Highest storage quota that a user may be given, in megabytes. */
  readonly ceilingMb: number | undefined;
}

const reading = { allow: ['read'], method: 'get' } as const;

const state = {
  method: 'post',
  scheme: ['Platform', 'Admin'],
  ext: true,
  result: userState,
  errors: ['user_not_found'],
} as const;

export const userOperations = ({ users, accounts, remove, ceilingMb }: UserParts): Operation[] => [
  operation(
    {
      id: 'createUser',
      allow: ['users'],
      method: 'post',
      path: '/api/v1/platforms/:platform_id/users',
      scheme: 'Platform',
      summary: 'Create a user of the platform and issue the first tokens',
      keyless: true,
      body: newUser,
      result: createdUser,
      errors: ['user_exists', 'platform_limit_exceeded'],
    },
    ({ path, caller, input }) =>
      users.create(path.platform_id, input.platform_user_id, { withTokens: !caller.allow }),
  ),
  operation(
    {
      ...reading,
      id: 'listUsers',
      path: '/api/v1/platforms/:platform_id/users',
      scheme: 'Platform',
      summary:
        'List all users of the platform, or the one with a platform_user_id; or a page of them',
      query: userFilter,
      result: z.union([z.array(listedUser), userPage]),
      errors: ['invalid_cursor'],
    },
    async ({ path: { platform_id: platformId }, caller, input }) => {
      const { platform_user_id: name, ...page } = input;
      const found =
        name === undefined ? undefined : await users.named(platformId, name, !caller.allow);
      if (Object.values(page).every((field) => field === undefined)) {
        return found ?? users.list(platformId);
      }
      const listed = await accounts.users(platformId, input);
      return found && listed.count > 0 ? { ...listed, items: found } : listed;
    },
  ),
  operation(
    {
      ...reading,
      id: 'getPlatformUser',
      path: '/api/v1/platforms/:platform_id/users/:user_id',
      scheme: 'Platform',
      summary: 'Get one user of the platform',
      result: userRecord,
      errors: ['user_not_found'],
    },
    ({ path }) => users.get(path.platform_id, path.user_id),
  ),
  operation(
    {
      ...reading,
      id: 'getUser',
      path: '/api/v1/users/:user_id',
      scheme: 'User',
      summary: "Get the token's user",
      result: userRecord,
      errors: ['user_not_found'],
    },
    ({ path }) => users.get(undefined, path.user_id),
  ),
  operation(
    {
      ...reading,
      id: 'listAccounts',
      path: '/api/v1/platforms/:platform_id/accounts',
      scheme: ['Platform', 'Admin'],
      ext: true,
      summary: "List the platform's users with their usage, in pages",
      query: accountPage,
      result: accountList,
      errors: ['invalid_cursor'],
    },
    ({ path, input }) => accounts.page(path.platform_id, input),
  ),
  operation(
    {
      ...state,
      id: 'suspendUser',
      allow: ['users'],
      path: '/api/v1/platforms/:platform_id/users/:user_id/suspend',
      summary: 'Refuse all tokens of the user, from the next request on',
    },
    ({ path }) => users.suspend(path.user_id, true, path.platform_id),
  ),
  operation(
    {
      ...state,
      id: 'resumeUser',
      allow: ['users'],
      path: '/api/v1/platforms/:platform_id/users/:user_id/resume',
      summary: "End the user's suspension; the tokens work again",
    },
    ({ path }) => users.suspend(path.user_id, false, path.platform_id),
  ),
  operation(
    {
      ...reading,
      id: 'getPlatformUserInfo',
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
      ...reading,
      id: 'getUserInfo',
      path: '/api/v1/users/:user_id/info',
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
      allow: 'full',
      method: 'put',
      path: '/api/v1/users/:user_id',
      scheme: 'User',
      summary: "Change the user's storage quota",
      body: userChanges(ceilingMb),
      result: updatedUser,
      errors: ['user_not_found'],
    },
    ({ path, input }) => accounts.setQuota(path.user_id, input.max_storage_mb),
  ),
  operation(
    {
      id: 'deleteUser',
      allow: 'full',
      method: 'delete',
      path: '/api/v1/users/:user_id',
      scheme: 'User',
      summary: "Permanently delete the user with all folders and images; revokes the user's tokens",
      result: deletedUser,
      errors: ['user_not_found', 'held'],
    },
    ({ path }) => remove(path.user_id),
  ),
];
