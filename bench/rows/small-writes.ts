import pg from 'pg';
import type { Call } from '../harness/load.js';
import type { Bench, Row, Sides } from '../harness/row.js';
import { kinds, type Kind, type KindName } from './small-changes.js';

const concurrency = 8;
/** Images that each client changes in a round: enough to compile the code in the first round. */
const changes = 250;
const userImages = 10_000;
const form = 'application/x-www-form-urlencoded';

/** Small changes of one user's images. */
export const smallWriteRows = (): Row[] =>
  (Object.keys(kinds) as KindName[]).map((kind) => ({
    name: `changes/${kind}`,
    title: `Changes of ${kind}, c=${concurrency}`,
    limit: 'UPDATE by key through pg',
    unit: '/s',
    goal: { atLeast: 0.07 },
    open: (bench) => open(bench, kinds[kind]),
  }));

async function open({ load, small }: Bench, kind: Kind): Promise<Sides> {
  const service = await small();
  const { id, url, headers } = await service.user(userImages);
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: concurrency });
  const found = await pool.query<{ id: string }>(
    'SELECT id FROM images WHERE user_id = $1 AND deleted_at IS NULL ORDER BY id LIMIT $2',
    [id, changes * concurrency],
  );
  const call = (imageId: string): Call => ({
    method: kind.method,
    url: url + kind.path(imageId),
    headers: { ...headers, 'Content-Type': form },
    body: new URLSearchParams(kind.form(imageId)).toString(),
  });
  const clients = Array.from({ length: concurrency }, (_, client) =>
    found.rows.filter((_row, n) => n % concurrency === client).map((one) => call(one.id)),
  );
  const job = { clients, until: { calls: changes }, status: 200 };
  await pool.query(`
    CREATE TABLE IF NOT EXISTS bare AS SELECT n, 0 AS value FROM generate_series(1, 10000) AS n;
    CREATE UNIQUE INDEX IF NOT EXISTS bare_key ON bare (n)`);
  return {
    ours: async () => {
      if (kind.reset) await pool.query(kind.reset);
      return (await load.run(job)).perSecond;
    },
    limit: () => updates(pool),
    close: async () => {
      await pool.query('DROP TABLE bare');
      if (kind.undo) await pool.query(kind.undo);
      await pool.end();
    },
  };
}

async function updates(pool: pg.Pool): Promise<number> {
  const start = performance.now();
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < changes * concurrency) {
      next += 1;
      await pool.query('UPDATE bare SET value = value + 1 WHERE n = $1', [next]);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  return (next * 1000) / (performance.now() - start);
}
