import { z } from 'zod';
import { operation } from '../http/operation.js';
import type { Operation } from '../http/operation.js';
import { createdPlatform, newPlatform, platformRecord } from './schemas.js';
import type { Platforms } from './service.js';

export const platformOperations = (platforms: Platforms): Operation[] => [
  operation(
    {
      id: 'createPlatform',
      method: 'post',
      path: '/api/v1/platforms',
      scheme: 'Admin',
      summary: 'Create a platform and its first tokens',
      body: newPlatform,
      result: createdPlatform,
    },
    ({ input }) => platforms.create(input.platform),
  ),
  operation(
    {
      id: 'listPlatforms',
      method: 'get',
      path: '/api/v1/platforms',
      scheme: 'Admin',
      summary: 'All platforms, oldest first',
      result: z.array(platformRecord),
    },
    () => platforms.list(),
  ),
  operation(
    {
      id: 'getPlatform',
      method: 'get',
      path: '/api/v1/platforms/:platform_id',
      scheme: 'Platform',
      summary: 'The platform of the token',
      result: platformRecord,
    },
    ({ path }) => platforms.get(path.platform_id),
  ),
];
