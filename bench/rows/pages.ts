import pg from 'pg';
import type { BenchService, BenchUser } from '../harness/bench-service.js';
import type { Call, Load } from '../harness/load.js';
import { rateOf } from '../harness/rate.js';
import type { Bench, Row, Sides } from '../harness/row.js';
import { requestsPerSecond } from '../harness/wrk.js';
import { plainFirstPage } from './plain-page.js';

const concurrency = 8;
const seconds = 3;
const size = 60;
/** Pages that a client reads one after the other, at most. */
const pagesOfWalk = 1_000;
/** Sequential pages in a round. */
const pagesAlone = 40;

const pageCalls = ({ url, headers }: BenchUser, from: number, pages: number, step = size): Call[] =>
  Array.from({ length: pages }, (_, n) => ({
    url: `${url}?last_index=${from + n * step}`,
    headers,
  }));

/** Pages of 60, each image with three signed URLs. */
export const pageRows = (images: number): Row[] => {
  const half = Math.floor(images / 2);
  const many = { unit: '/s', limit: 'its SQL through pg' } as const;
  const alone = { unit: 'ms', limit: 'the first page' } as const;
  return [
    {
      ...many,
      name: 'pages/first',
      title: 'First page of 60, again and again',
      goal: { atLeast: 0.85 },
      open: (bench) => underLoad(bench, images, (user) => pageCalls(user, 0, 1)),
    },
    {
      ...many,
      name: 'pages/different',
      title: 'Pages of 60, each another one',
      goal: { atLeast: 0.77 },
      open: (bench) =>
        underLoad(bench, images, (user) => {
          const walks = Array.from({ length: concurrency }, (_, walk) =>
            pageCalls(user, Math.floor(((walk + 0.5) * images) / concurrency), pagesOfWalk),
          );
          // In turn, so that each walk's page has been read when the next one is asked for.
          return Array.from({ length: pagesOfWalk }, (_, n) =>
            walks.flatMap((walk) => walk[n] ?? []),
          ).flat();
        }),
    },
    {
      ...alone,
      name: 'pages/walking',
      title: `Page at ${half.toLocaleString('en')}, walking`,
      goal: { atMost: 1.2 },
      open: (bench) => oneByOne(bench, images, (round) => ({ from: half + round * 3_000 })),
    },
    {
      ...alone,
      name: 'pages/jumping',
      title: `Page near ${half.toLocaleString('en')}, jumping`,
      goal: { atMost: 1.5 },
      // No page has ended at any of these.
      open: (bench) =>
        oneByOne(bench, images, (round) => ({ from: half + 7 + round * 4_040, step: 101 })),
    },
  ];
};

async function underLoad(
  { large }: Bench,
  images: number,
  callsOf: (user: BenchUser) => Call[],
): Promise<Sides> {
  const service = await large();
  const user = await service.user(images);
  const calls = callsOf(user);
  const ours = (): Promise<number> =>
    requestsPerSecond(calls, { connections: concurrency, seconds });
  return { ours, ...startPlain(service, user) };
}

/** Milliseconds per page, with sequential requests. */
async function oneByOne(
  { load, large }: Bench,
  images: number,
  where: (round: number) => { from: number; step?: number },
): Promise<Sides> {
  const user = await (await large()).user(images);
  const median = async (calls: readonly Call[]): Promise<number> => {
    const job: Load = { clients: [calls], until: { calls: calls.length }, status: 200 };
    return (await load.run(job)).median;
  };
  let round = 0;
  return {
    ours: () => {
      const { from, step } = where((round += 1));
      return median(pageCalls(user, from, pagesAlone, step));
    },
    limit: () => median(Array.from({ length: pagesAlone }, () => pageCalls(user, 0, 1)).flat()),
  };
}

/** The statements that the first page needs, through a pool of pg and nothing else. */
function startPlain({ databaseUrl }: BenchService, { id }: BenchUser) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: concurrency });
  const page = plainFirstPage(pool, id, size);
  const limit = (): Promise<number> => rateOf(concurrency, seconds, page);
  return { limit, close: () => pool.end() };
}
