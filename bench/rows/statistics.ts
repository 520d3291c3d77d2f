import pg from 'pg';
import type { BenchService } from '../harness/bench-service.js';
import { rateOf } from '../harness/rate.js';
import type { Row } from '../harness/row.js';
import { bareDays, seedDays } from './bare-days.js';

const concurrency = 8;
const seconds = 3;
const year = { start: '2025-01-01', end: '2025-12-31' };

/** A year of statistics by day. */
export const statisticsRows = (): Row[] => [
  {
    name: 'statistics',
    title: 'Statistics of 365 days',
    limit: 'its SQL through pg',
    unit: '/s',
    goal: { atLeast: 0.8 },
    open: async ({ load, small }) => {
      const service = await small();
      const { platformId } = await service.user(10_000);
      const headers = await service.asPlatform(platformId);
      const days = `start_date=${year.start.replaceAll('-', '')}&end_date=${year.end.replaceAll('-', '')}`;
      const url = `${service.url}/api/v2/platforms/${platformId}/stats?${days}`;
      const clients = Array.from({ length: concurrency }, () => [{ url, headers }]);
      await service.db.query(seedDays, [platformId, year.start, year.end]);
      const bare = startBare(service, platformId);
      return {
        ours: async () => (await load.run({ clients, until: { seconds }, status: 200 })).perSecond,
        ...bare,
      };
    },
  },
];

function startBare({ databaseUrl, zone }: BenchService, platformId: string) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: concurrency });
  const values = [platformId, zone, year.start, year.end];
  const limit = (): Promise<number> =>
    rateOf(concurrency, seconds, () => pool.query(bareDays, values));
  return { limit, close: () => pool.end() };
}
