import pg from 'pg';
import type { BenchService, BenchUser } from '../harness/bench-service.js';
import type { Call } from '../harness/load.js';
import type { Row } from '../harness/row.js';
import { barePage } from './bare-page.js';

const concurrency = 8;
const seconds = 3;
const size = 60;

const pageCalls = ({ url, headers }: BenchUser, from: number, pages: number): Call[] =>
  Array.from({ length: pages }, (_, n) => ({
    url: `${url}?last_index=${from + n * size}`,
    headers,
  }));

/** Pages of 60, each image with three signed URLs. */
export const pageRows = (images: number): Row[] => {
  const row = (name: string, title: string, atLeast: number, clients: ClientsOf): Row => ({
    ...{ name, title, unit: '/s', goal: { atLeast } },
    limit: 'its SQL through pg',
    open: async ({ load, large }) => {
      const service = await large();
      const user = await service.user(images);
      const bare = await startBare(service, user);
      const job = { clients: clients(user, images), until: { seconds }, status: 200 };
      return {
        ours: async () => (await load.run(job)).perSecond,
        limit: bare.rate,
        close: bare.close,
      };
    },
  });
  return [
    row('pages/first', 'First page of 60, again and again', 0.85, (user) =>
      Array.from({ length: concurrency }, () => pageCalls(user, 0, 1)),
    ),
    row('pages/different', 'Pages of 60, each another one', 0.77, (user, total) =>
      Array.from({ length: concurrency }, (_, client) =>
        pageCalls(user, Math.floor((total * client) / (concurrency + 1) / size) * size, 1_000),
      ),
    ),
  ];
};

type ClientsOf = (user: BenchUser, images: number) => Call[][];

/** The statements that the first page needs, through a pool of pg and nothing else. */
async function startBare({ databaseUrl }: BenchService, { id }: BenchUser) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: concurrency });
  const rate = async (): Promise<number> => {
    const end = performance.now() + seconds * 1000;
    let done = 0;
    const client = async (): Promise<void> => {
      for (; performance.now() < end; done += 1) await barePage(pool, id, size);
    };
    await Promise.all(Array.from({ length: concurrency }, client));
    return done / seconds;
  };
  return { rate, close: () => pool.end() };
}
