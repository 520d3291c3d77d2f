import { z } from 'zod';
import { operation, type Operation } from '../../http/operation.js';
import { usedBytes, type Usage } from '../quota/usage.js';
import {
  createdPlatform,
  listedPlatform,
  newPlatform,
  platformInfo,
  platformLimits,
  platformRecord,
} from './schemas.js';
import type { Platforms } from './platforms.js';
import { toMegabytes } from '../../base/units.js';

const reading = { allow: ['read'], method: 'get' } as const;

const state = {
  method: 'post',
  scheme: 'Admin',
  ext: true,
  result: platformRecord,
  errors: ['platform_not_found'],
} as const;

export const platformOperations = (platforms: Platforms, usage: Usage): Operation[] => [
  operation(
    {
      id: 'createPlatform',
      allow: ['platforms'],
      method: 'post',
      path: '/api/v1/platforms',
      scheme: 'Admin',
      summary: 'Create a platform and issue its first tokens',
      keyless: true,
      body: newPlatform,
      result: createdPlatform,
      errors: ['platform_exists'],
    },
    ({ input, caller }) => platforms.create(input.platform, !caller.allow),
  ),
  operation(
    {
      ...reading,
      id: 'listPlatforms',
      path: '/api/v1/platforms',
      scheme: 'Admin',
      summary: 'List all platforms, oldest first',
      result: z.array(listedPlatform),
    },
    () => platforms.list(),
  ),
  operation(
    {
      ...reading,
      id: 'getPlatform',
      path: '/api/v1/platforms/:platform_id',
      scheme: 'Platform',
      summary: "Get the token's platform",
      result: platformRecord,
      errors: ['platform_not_found'],
    },
    ({ path }) => platforms.get(path.platform_id),
  ),
  operation(
    {
      ...reading,
      id: 'getPlatformLimits',
      path: '/api/v1/platforms/:platform_id/limits',
      scheme: ['Platform', 'Admin'],
      ext: true,
      summary: 'Get the limits of the platform, and the usage of all its users together',
      result: platformLimits,
      errors: ['platform_not_found'],
    },
    async ({ path }) => {
      const { id, user_count, suspended_at = null } = await platforms.get(path.platform_id);
      const used = await usage.ofPlatform(id);
      return {
        suspended_at,
        ...(await platforms.limitsOf(id)),
        used_storage_mb: toMegabytes(usedBytes(used)),
        image_count: used.images,
        user_count,
      };
    },
  ),
  operation(
    {
      ...state,
      id: 'suspendPlatform',
      allow: ['platforms'],
      path: '/api/v1/platforms/:platform_id/suspend',
      summary: 'Refuse all tokens of the platform and its users, from the next request on',
    },
    ({ path }) => platforms.suspend(path.platform_id, true),
  ),
  operation(
    {
      ...state,
      id: 'resumePlatform',
      allow: ['platforms'],
      path: '/api/v1/platforms/:platform_id/resume',
      summary: 'End the suspension of the platform; its tokens work again',
    },
    ({ path }) => platforms.suspend(path.platform_id, false),
  ),
  operation(
    {
      ...reading,
      id: 'getPlatformInfo',
      path: '/api/v1/platforms/:platform_id/info',
      scheme: 'Platform',
      summary: "Get the token's platform with its users' usage",
      result: platformInfo,
      errors: ['platform_not_found'],
    },
    async ({ path }) => {
      const platform = await platforms.get(path.platform_id);
      const { activeImages, activeBytes, storedBytes } = await usage.ofPlatform(platform.id);
      return {
        ...platform,
        image_count: activeImages,
        part_total_filesize_mb: toMegabytes(activeBytes),
        total_filesize_mb: toMegabytes(storedBytes),
      };
    },
  ),
];
