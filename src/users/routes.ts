import { z } from 'zod';
import { operation } from '../http/operation.js';
import type { Operation } from '../http/operation.js';
import { createdUser, listedUser, newUser, userFilter, userRecord } from './schemas.js';
import type { Users } from './service.js';

export const userOperations = (users: Users): Operation[] => [
  operation(
    {
      id: 'createUser',
      method: 'post',
      path: '/api/v1/platforms/:platform_id/users',
      scheme: 'Platform',
      summary: 'Create a user of the platform and issue the first tokens',
      keyless: true,
      body: newUser,
      result: createdUser,
      errors: ['user_exists', 'platform_limit_exceeded'],
    },
    ({ path, input }) => users.create(path.platform_id, input.platform_user_id),
  ),
  operation(
    {
      id: 'listUsers',
      method: 'get',
      path: '/api/v1/platforms/:platform_id/users',
      scheme: 'Platform',
      summary: 'List all users of the platform, or the one with a platform_user_id',
      query: userFilter,
      result: z.array(listedUser),
    },
    ({ path: { platform_id: platformId }, input: { platform_user_id: name } }) =>
      name === undefined ? users.list(platformId) : users.named(platformId, name),
  ),
  operation(
    {
      id: 'getPlatformUser',
      method: 'get',
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
      id: 'getUser',
      method: 'get',
      path: '/api/v1/users/:user_id',
      scheme: 'User',
      summary: "Get the token's user",
      result: userRecord,
      errors: ['user_not_found'],
    },
    ({ path }) => users.get(undefined, path.user_id),
  ),
];
