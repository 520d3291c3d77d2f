import { operation } from '../http/operation.js';
import type { Operation } from '../http/operation.js';
import type { Accounts } from './accounts.js';
import type { UserRemoval } from '../deletion/user-removal.js';
import { deletedUser, updatedUser, userChanges, userInfo } from './schemas.js';

export interface AccountParts {
  readonly accounts: Accounts;
  readonly removal: UserRemoval;
  /** Most storage that a user may be given, in megabytes. */
  readonly ceilingMb: number | undefined;
}

const user = '/api/v1/users/:user_id' as const;

export const accountOperations = ({ accounts, removal, ceilingMb }: AccountParts): Operation[] => [
  operation(
    {
      id: 'getPlatformUserInfo',
      method: 'get',
      path: '/api/v1/platforms/:platform_id/users/:user_id/info',
      scheme: 'Platform',
      summary: 'What a user of the platform has stored and may store',
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
      summary: 'What the user has stored and may store',
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
      summary: 'Change how much the user may store',
      body: userChanges(ceilingMb),
      result: updatedUser,
      errors: ['user_not_found'],
    },
    ({ path, input }) => accounts.limit(path.user_id, input.max_storage_mb),
  ),
  operation(
    {
      id: 'deleteUser',
      method: 'delete',
      path: user,
      scheme: 'User',
      summary: 'Delete the user with all folders and images, for good; ends all tokens',
      result: deletedUser,
      errors: ['user_not_found'],
    },
    ({ path }) => removal.remove(path.user_id),
  ),
];
