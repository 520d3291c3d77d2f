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
const pagesOfWalk = 100;

/** Pages that follow each other by their cursors, from the one after an index on. */
async function walkFrom({ url, headers }: BenchUser, index: number): Promise<Call[]> {
  const calls: Call[] = [];
  let at = `${url}?last_index=${index}`;
  while (calls.length < pagesOfWalk) {
    const answer = (await (await fetch(at, { headers })).json()) as {
      readonly result: { readonly next_cursor: string | null };
    };
    const { next_cursor: cursor } = answer.result;
    if (cursor === null) break;
    at = `${url}?cursor=${cursor}`;
    calls.push({ url: at, headers });
  }
  return calls;
}

/** Pages of 60, each image with three signed URLs. */
export const pageRows = (images: number): Row[] => {
  const many = { unit: '/s', limit: 'its SQL through pg' } as const;
  return [
    {
      ...many,
      name: 'pages/first',
      title: 'First page of 60, again and again',
      goal: { atLeast: 0.85 },
      open: (bench) => underLoad(bench, images, []),
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
        ),
    },
  ];
};

/** Pages of several walks through the list, side by side. @param starts index at which each begins; none: the first page. */
async function underLoad(
  { large }: Bench,
  images: number,
  starts: readonly number[],
): Promise<Sides> {
  const service = await large();
  const user = await service.user(images);
  const walks = await Promise.all(starts.map((start) => walkFrom(user, start)));
  const pages = Array.from({ length: pagesOfWalk }, (_, n) =>
    walks.flatMap((walk) => walk[n] ?? []),
  );
  const calls = starts.length > 0 ? pages.flat() : [{ url: user.url, headers: user.headers }];
  const ours = (): Promise<number> =>
    requestsPerSecond(calls, { connections: concurrency, seconds });
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
  const keys = await Promise.all(starts.map((index) => plainStart(pool, id, index)));
  const before = keys.length > 0 ? keys : [undefined];
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
