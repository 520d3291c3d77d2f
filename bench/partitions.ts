import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource, QueryRunner } from 'typeorm';
import type { Config } from '../src/base/config/options.js';
import { clusterFiles } from '../src/database/postgres/cluster-files.js';
import { openDatabase } from '../src/database/postgres/provision.js';
import { onlyValue, rows, type Queryable } from '../src/database/sql.js';
import { serviceDataSource } from '../src/ops/service-database.js';
import { imageStatements, type KnownImage } from '../testkit/image-statements.js';
import { numberOf, readOptions } from '../testkit/script.js';
import { median } from './harness/load.js';
import { tableOf } from './harness/table.js';
import { copyDivided, dividedUrl, schema, withUser } from './partitions/divided.js';
import { openDirectory, provision, report } from './private-service.js';
import { seedUsers } from './seeding.js';

const usage = `Usage: npm run bench -- --partitions [--table 1000000] [--parts 64] [--rounds 5]
                     [--bare] [--home DIR]

The largest tables as they are, and divided by hash of user_id with keys that carry it, with the same
rows: milliseconds of CPU time that a session of each takes for the statements of the service.

  --table N    images
  --parts N    partitions of each table
  --rounds N   rounds, each of which measures both sides
  --bare       leaves texts, places, cells, and time ranges empty: half of the disk
  --home DIR   keeps the data there, and uses it again`;

const values = readOptions(usage, {
  table: { type: 'string', default: '1000000' },
  parts: { type: 'string', default: '64' },
  rounds: { type: 'string', default: '5' },
  bare: { type: 'boolean', default: false },
  home: { type: 'string' },
});
const number = (name: 'table' | 'parts' | 'rounds'): number =>
  numberOf([name, values[name]], usage, 1);
const [images, parts, rounds] = [number('table'), number('parts'), number('rounds')];
const bare = values.bare ? ['image_texts', 'places', 'map_cells', 'annotation_totals'] : [];

/**
 * Locks for 64 partitions with all their indexes in one transaction; nothing is flushed, since what is
 * compared is work.
 */
const serverSettings = `
max_locks_per_transaction = 2048
shared_buffers = 512MB
max_wal_size = 4GB
autovacuum = off
fsync = off
`;

/** One backend, as a connection of the service's pool. */
class Session implements Queryable {
  /** Rewrites statements before they are sent. */
  rewrite = (sql: string): string => sql;

  private constructor(
    private readonly db: DataSource,
    private readonly connection: QueryRunner,
    private readonly pid: number,
  ) {}

  static async open(url: string, config: Config, settings = ''): Promise<Session> {
    const one = { ...config, 'database.pool_size': 1 };
    const db = await serviceDataSource(url, one).initialize();
    const own = db.createQueryRunner(); // keeps its connection, however long it is idle
    await own.query(`SET max_parallel_maintenance_workers = 0; ${settings}`);
    return new Session(db, own, await onlyValue<number>(own, 'SELECT pg_backend_pid() AS pid'));
  }

  query(sql: string, parameters?: unknown[]): Promise<unknown> {
    return this.connection.query(this.rewrite(sql), parameters);
  }

  /** Milliseconds of CPU time so far, with the precision of the kernel's scheduler. */
  async cpuMs(): Promise<number> {
    const [nanoseconds] = (await readFile(`/proc/${this.pid}/schedstat`, 'utf8')).split(' ');
    return Number(nanoseconds) / 1e6;
  }

  /** Megabytes that the session does not share: plans, catalog entries, and what it works with. */
  async memoryMb(): Promise<number> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8');
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  }

  async close(): Promise<void> {
    await this.connection.release();
    await this.db.destroy();
  }
}

type Step = (typeof imageStatements)[number];

/** Runs a step on a session. @returns milliseconds of CPU and of wall time of one. */
async function time(session: Session, [, calls, step]: Step, from: readonly KnownImage[]) {
  const [cpu, began] = [await session.cpuMs(), performance.now()];
  for (let n = 0; n < calls; n += 1) {
    await step(session, from[Math.floor(Math.random() * from.length)] as KnownImage);
  }
  return {
    cpu: ((await session.cpuMs()) - cpu) / calls,
    wall: (performance.now() - began) / calls,
  };
}

const figure = (value: number): string => value.toPrecision(3);

async function measureSteps(
  sides: readonly Session[],
  samples: readonly KnownImage[],
): Promise<void> {
  console.log(
    `| CPU ms (wall ms) | undivided | ${values.parts} partitions | Ratio | generic plans |`,
  );
  console.log('|---|--:|--:|--:|--:|');
  for (const one of imageStatements) {
    const all: { cpu: number; wall: number }[][] = sides.map(() => []);
    for (let round = -1; round < rounds; round += 1) {
      const order = [...sides.keys()];
      for (const n of round % 2 ? order.toReversed() : order) {
        const measured = await time(sides[n] as Session, one, samples);
        if (round >= 0) all[n]?.push(measured); // the first round warms up
      }
    }
    const of = (n: number) => {
      const side = all[n] ?? [];
      return `${figure(median(side.map((m) => m.cpu)))} (${figure(median(side.map((m) => m.wall)))})`;
    };
    const ratios = (all[1] ?? []).map(({ cpu }, round) => cpu / (all[0]?.[round]?.cpu ?? NaN));
    const ratio = `**${median(ratios).toFixed(2)}** (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
    console.log(`| ${[one[0], of(0), of(1), ratio, of(2)].join(' | ')} |`);
  }
}

/** How many partitions of each table the plans of a step name, as it is written and with the user. */
async function showPruning(session: Session, sample: KnownImage): Promise<void> {
  for (const rewrite of [(sql: string) => sql, withUser]) {
    for (const [name, , step] of imageStatements) {
      const seen = new Set<string>();
      const explaining: Queryable = {
        query: async (sql, parameters) => {
          const text = `EXPLAIN ${rewrite(sql)}`;
          const plan = await session.query(text, parameters);
          for (const [found] of JSON.stringify(plan).matchAll(/\w+_p\d+(?=[ "\\])/g))
            seen.add(found);
          return [{}];
        },
      };
      await step(explaining, sample).catch(() => undefined);
      console.log(
        `${rewrite === withUser ? 'with' : 'without'} user_id, ${name}: ${seen.size} partitions`,
      );
    }
  }
}

/** Vacuum and the build of an index: the whole table, all partitions, and one. */
async function measureUpkeep(session: Session, sides: readonly (readonly [string, string])[]) {
  console.log('\n| CPU s (wall s) | ' + sides.map(([name]) => name).join(' | ') + ' |');
  console.log(`|---|${'--:|'.repeat(sides.length)}`);
  const works = [
    (table: string) => `VACUUM (DISABLE_PAGE_SKIPPING, INDEX_CLEANUP ON, PARALLEL 0) ${table}`,
    (table: string) => `CREATE INDEX bench_built ON ${table} (user_id, updated_at, id)`,
  ];
  for (const work of works) {
    const cells: string[] = [];
    for (const [, table] of sides) {
      const [cpu, began] = [await session.cpuMs(), performance.now()];
      await session.query(work(table));
      const [cpuS, wallS] = [(await session.cpuMs()) - cpu, performance.now() - began];
      cells.push(`${figure(cpuS / 1000)} (${figure(wallS / 1000)})`);
      await session.query(`DROP INDEX IF EXISTS public.bench_built, ${schema}.bench_built`);
    }
    console.log(`| ${work('').split(' ')[0]} | ${cells.join(' | ')} |`);
  }
}

/** The tables as they are, filled with the images of many users. */
async function fillWhole(db: DataSource): Promise<void> {
  const { largest, others } = tableOf(images);
  const users = await rows<{ userId: string }>(
    db,
    `WITH p AS (INSERT INTO platforms (id, name) VALUES (gen_random_uuid(), 'bench') RETURNING id)
     INSERT INTO users (id, platform_id, platform_user_id, max_storage_bytes)
     SELECT gen_random_uuid(), p.id, 'user ' || n, 1e15 FROM p, generate_series(1, $1::integer) AS n
     RETURNING id AS "userId"`,
    [others.length + 1],
  );
  const seeds = users.map((user, n) => ({ ...user, images: others[n] ?? largest }));
  await seedUsers(db, seeds, report, bare);
}

/** Fills both schemas, unless they are there. */
async function fill(url: string, config: Config): Promise<void> {
  const db = await serviceDataSource(url, config).initialize();
  const isThere = await onlyValue<boolean>(db, `SELECT to_regnamespace('${schema}') IS NOT NULL`);
  if (!isThere) {
    await fillWhole(db);
    await db.query(`CREATE SCHEMA ${schema}`);
    const divided = await serviceDataSource(dividedUrl(url), config).initialize();
    report(`Copying into ${values.parts} partitions`);
    await copyDivided(divided, parts);
    await divided.query('VACUUM ANALYZE');
    await divided.destroy();
  }
  await db.destroy();
}

async function main(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  const { home, config } = await provision(dir);
  await appendFile(join(clusterFiles(home).data, 'postgresql.conf'), serverSettings);
  const database = await openDatabase({ home, url: undefined, report });
  try {
    await fill(database.url, config);
    const divided = dividedUrl(database.url);
    const sides = await Promise.all([
      Session.open(database.url, config),
      Session.open(divided, config),
      Session.open(divided, config, 'SET plan_cache_mode = force_generic_plan'),
    ]);
    const [whole, parted, generic] = sides;
    const samples = await rows<KnownImage>(
      whole,
      `SELECT i.id, user_id AS "userId", i.platform_id AS "platformId", folder_id AS "folderId",
              (random() * 0.9 * u.active_images)::integer AS index
       FROM images i TABLESAMPLE SYSTEM (least(100, 2400000.0 / $1)::float4) JOIN users u ON u.id = user_id
       WHERE i.deleted_at IS NULL ORDER BY random() LIMIT 2000`,
      [images],
    );
    await showPruning(parted, samples[0] as KnownImage);
    for (const session of [parted, generic]) session.rewrite = withUser;
    await measureSteps(sides, samples);
    for (const [n, session] of sides.entries()) {
      const of = ['undivided', `${values.parts} partitions`, 'generic plans on partitions'][n];
      console.log(`memory of the session, ${of}: ${figure(await session.memoryMb())} MB`);
    }
    const upkeep = [
      ['undivided', 'public.images'],
      ['all partitions', `${schema}.images`],
      ['one partition', `${schema}.images_p1`],
    ] as const;
    await measureUpkeep(whole, upkeep);
    for (const session of sides) await session.close();
  } finally {
    await database.close();
  }
}

const dir = values.home ?? (await openDirectory('imgstore-partitions-'));
try {
  await main(dir);
} finally {
  if (values.home === undefined) await rm(dir, { recursive: true, force: true });
}
