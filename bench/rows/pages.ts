import pg from 'pg';
import type { BenchService, BenchUser } from '../harness/bench-service.js';
import type { Call, Load } from '../harness/load.js';
import { rateOf } from '../harness/rate.js';
import type { Bench, Row, Sides } from '../harness/row.js';
import { requestsPerSecond } from '../harness/wrk.js';
import { plainPages, plainStart } from './plain-page.js';

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
      open: (bench) => underLoad(bench, images, [0], 1),
    },
    {
      ...many,
      name: 'pages/different',
      title: 'Pages of 60, each another one',
      goal: { atLeast: 0.77 },
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
  // In turn, so that each walk's page has been read when the next one is asked for.
  const calls = Array.from({ length: pages }, (_, n) => walks.flatMap((walk) => walk[n] ?? []));
  const ours = (): Promise<number> =>
    requestsPerSecond(calls.flat(), { connections: concurrency, seconds });
  return { ours, ...(await startPlain(service, user, starts)) };
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
