import pg from 'pg';
import type { BenchService, BenchUser } from '../harness/bench-service.js';
import type { Call } from '../harness/load.js';
import { rateOf, type Bench, type Row, type Sides } from '../harness/row.js';
import { requestsPerSecond } from '../harness/wrk.js';
import { plainPages, plainStart } from './plain-page.js';

const concurrency = 8;
const seconds = 2;
const size = 60;
/** Pages that a client reads one after the other, at most. */
const pagesOfWalk = 200;

const pageCalls = ({ url, headers }: BenchUser, from: number, pages: number): Call[] =>
  Array.from({ length: pages }, (_, n) => ({
    url: `${url}?last_index=${from + n * size}`,
    headers,
  }));

/** Pages of 60, each image with three signed URLs. */
export const pageRows = (images: number): Row[] => {
  const many = { unit: '/s', limit: 'its SQL through pg' } as const;
  return [
    {
      ...many,
      name: 'pages/first',
      title: 'First page of 60, again and again',
      goal: { atLeast: 0.85 },
      open: (bench) => underLoad(bench, images, [0], 1),
    },
    {
      ...many,
      name: 'pages/different',
      title: 'Pages of 60, each another one',
      goal: { atLeast: 0.75 },
      open: (bench) =>
        underLoad(
          bench,
          images,
          Array.from({ length: concurrency }, (_, walk) =>
            Math.floor(((walk + 0.5) * images) / concurrency),
          ),
          pagesOfWalk,
        ),
    },
  ];
};

/**
 * Pages of several walks through the list, side by side. @param starts index at which each begins.
 * @param pages of each.
 */
async function underLoad(
  { large }: Bench,
  images: number,
  starts: readonly number[],
  pages: number,
): Promise<Sides> {
  const service = await large();
  const user = await service.user(images);
  const walks = starts.map((start) => pageCalls(user, start, pages));
  const calls = Array.from({ length: pages }, (_, n) => walks.flatMap((walk) => walk[n] ?? []));
  const ours = (): Promise<number> =>
    requestsPerSecond(calls.flat(), { connections: concurrency, seconds });
  return { ours, ...(await startPlain(service, user, starts)) };
}

/** The same pages by the statements that they need, through a pool of pg and nothing else. */
async function startPlain(
  { databaseUrl }: BenchService,
  { id }: BenchUser,
  starts: readonly number[],
) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: concurrency });
  const read = plainPages(pool, id, size);
  const before = await Promise.all(
    starts.map(async (index) => (index > 0 ? plainStart(pool, id, index - 1) : undefined)),
  );
  const limit = (): Promise<number> => {
    const ends = [...before];
    let turn = 0;
    return rateOf(concurrency, seconds, async () => {
      const walk = (turn += 1) % ends.length;
      const last = await read(ends[walk]);
      if (before[walk]) ends[walk] = last;
    });
  };
  return { limit, close: () => pool.end() };
}
