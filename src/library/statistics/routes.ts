import { z } from 'zod';
import { operation, type Operation } from '../../http/operation.js';
import { allRange, allStatistics, dayStatistics, range, statistics } from './schemas.js';
import type { UsageStatistics } from './usage-statistics.js';

const ofPlatform = { allow: ['statistics'], method: 'get', scheme: 'Platform' } as const;

export const statisticsOperations = (usage: UsageStatistics): Operation[] => [
  operation(
    {
      ...ofPlatform,
      id: 'getDailyStatistics',
      path: '/api/v2/platforms/:platform_id/stats',
      summary: 'Usage of the platform for each day of a range, days without activity included',
      query: range,
      result: z.array(dayStatistics),
    },
    ({ path, input }) => usage.days(path.platform_id, input),
  ),
  operation(
    {
      ...ofPlatform,
      id: 'getTotalStatistics',
      path: '/api/v2/platforms/:platform_id/stats/total',
      summary: 'Usage of the platform since the beginning',
      result: statistics,
    },
    ({ path }) => usage.total(path.platform_id),
  ),
  operation(
    {
      id: 'getAllStatistics',
      allow: ['read'],
      method: 'get',
      path: '/api/v1/statistics',
      scheme: 'Admin',
      ext: true,
      summary: 'Usage of all platforms, or one: for each day of a range, in total, and by platform',
      query: allRange,
      result: allStatistics,
      errors: ['platform_not_found'],
    },
    ({ input }) => usage.ofAll(input),
  ),
];
