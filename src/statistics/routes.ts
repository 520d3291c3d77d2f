import { z } from 'zod';
import { operation } from '../http/operation.js';
import type { Operation } from '../http/operation.js';
import { dayStatistics, range, statistics } from './schemas.js';
import type { UsageStatistics } from './service.js';

export const statisticsOperations = (usage: UsageStatistics): Operation[] => [
  operation(
    {
      id: 'getDailyStatistics',
      method: 'get',
      path: '/api/v2/platforms/:platform_id/stats',
      scheme: 'Platform',
      summary: 'Usage of the platform for each day of a range, days without activity included',
      query: range,
      result: z.array(dayStatistics),
    },
    ({ path, input }) => usage.days(path.platform_id, input),
  ),
  operation(
    {
      id: 'getTotalStatistics',
      method: 'get',
      path: '/api/v2/platforms/:platform_id/stats/total',
      scheme: 'Platform',
      summary: 'Usage of the platform since the beginning',
      result: statistics,
    },
    ({ path }) => usage.total(path.platform_id),
  ),
];
