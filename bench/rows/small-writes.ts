import pg from 'pg';
import { preparedName, type Queryable } from '../../src/database/sql.js';
import { smallChanges } from '../../testkit/image-statements.js';
import type { BenchService } from '../harness/bench-service.js';
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
    limit: 'its statement through pg, without triggers',
    unit: '/s',
    goal: { atLeast: 0.5 },
    open: (bench) => open(bench, kind),
  }));

async function open({ load, small }: Bench, name: KindName): Promise<Sides> {
  const kind: Kind = kinds[name];
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
  const plain = await openPlain(service, id, name);
  return {
    ours: async () => {
      if (kind.reset) await pool.query(kind.reset);
      return (await load.run(job)).perSecond;
    },
    limit: () => plain.rate(found.rows.map((one) => one.id)),
    close: async () => {
      await plain.close();
      if (kind.undo) await pool.query(kind.undo);
      await pool.end();
    },
  };
}

/** Tables that the statements change or lock; without their triggers and foreign keys in `plain`. */
const tables = ['images', 'users', 'memos'];

/** Runs a kind's statement on copies of a user's tables. */
async function openPlain({ db, databaseUrl }: BenchService, userId: string, name: KindName) {
  const { reset }: Kind = kinds[name];
  // A run that was killed leaves it in a home that is kept.
  await db.query('DROP SCHEMA IF EXISTS plain CASCADE; CREATE SCHEMA plain');
  for (const table of tables) {
    const copy = `plain.${table}`;
    const owner = table === 'users' ? 'id' : 'user_id';
    await db.query(
      `CREATE TABLE ${copy} (LIKE public.${table} INCLUDING DEFAULTS INCLUDING INDEXES)`,
    );
    await db.query(`INSERT INTO ${copy} SELECT * FROM public.${table} WHERE ${owner} = $1`, [
      userId,
    ]);
    await db.query(`ANALYZE ${copy}`);
  }
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    options: '-c search_path=plain,public -c jit=off',
    max: concurrency,
  });
  const statements: Queryable = {
    query: async (text, values) => {
      const as = preparedName(text);
      const { rows } = await pool.query<object>({
        text,
        values,
        ...(as !== undefined && { name: as }),
      });
      return rows;
    },
  };
  const rate = async (imageIds: readonly string[]): Promise<number> => {
    if (reset) await pool.query(reset);
    const start = performance.now();
    let next = 0;
    const client = async (): Promise<void> => {
      for (let imageId = imageIds[next++]; imageId; imageId = imageIds[next++]) {
        await smallChanges[name](statements, userId, imageId);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, client));
    return (imageIds.length * 1000) / (performance.now() - start);
  };
  const close = async (): Promise<void> => {
    await pool.end();
    await db.query('DROP SCHEMA plain CASCADE');
  };
  return { rate, close };
}
