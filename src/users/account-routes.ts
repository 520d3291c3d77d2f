import { operation } from '../http/operation.js';
import type { Operation } from '../http/operation.js';
import type { Accounts } from './accounts.js';
import { updatedUser, userChanges, userInfo } from './schemas.js';

export interface AccountParts {
  readonly accounts: Accounts;
  /** Most storage that a user may be given, in megabytes. */
  readonly ceilingMb: number | undefined;
}

const user = '/api/v1/users/:user_id' as const;

export const accountOperations = ({ accounts, ceilingMb }: AccountParts): Operation[] => [
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
];
