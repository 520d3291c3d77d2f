/**
 * Small changes per second over HTTP, compared with an UPDATE by key through pg alone on the same
 * server. The load comes from a child process. Other builds are measured in alternating rounds.
 *
 *     npm run small-writes [-- ROOT...]   roots of other builds, each with its dist/
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type * as Database from '../src/ops/service-database.js';
import type * as Provision from '../src/database/postgres/provision.js';
import type * as Service from '../src/server/service.js';
import type * as PrivateService from './private-service.js';
import { report } from './private-service.js';
import { kinds } from './rows/small-changes.js';
import type { Kind, KindName } from './rows/small-changes.js';
import type * as Seeding from './seeding.js';

const turns = 5;
const millisPerTurn = 1_000;
const imagesPerUser = 1_500;
const here = resolve(fileURLToPath(import.meta.url), '../../..');

interface Owner {
  readonly imagesUrl: string;
  readonly token: string;
  readonly images: readonly string[];
}

interface Task {
  readonly kind: KindName;
  readonly owners: readonly Owner[];
  readonly concurrency: number;
}

const until = (ms: number): (() => boolean) => {
  const end = performance.now() + ms;
  return () => performance.now() < end;
};

/** @returns calls of `work` per second at this concurrency, until it returns false. */
async function rate(concurrency: number, work: (n: number) => Promise<boolean>): Promise<number> {
  const start = performance.now();
  const going = until(millisPerTurn);
  let begun = 0;
  let done = 0;
  const client = async (): Promise<void> => {
    while (going() && (await work(begun++))) done += 1;
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  return (done * 1000) / (performance.now() - start);
}

/** In the child: changes per second; each image is changed at most once. */
async function load({ kind: name, owners, concurrency }: Task): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const kind: Kind = kinds[name];
  const perSecond = await rate(concurrency, async (n) => {
    const owner = owners[n % owners.length];
    const imageId = owner?.images[Math.floor(n / owners.length)];
    if (!owner || imageId === undefined) return false;
    const sent = request(owner.imagesUrl + kind.path(imageId), {
      agent,
      method: kind.method,
      headers: {
        Authorization: `User ${owner.token}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
    });
    sent.end(new URLSearchParams(kind.form(imageId)).toString());
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} for ${name}`);
    return true;
  });
  agent.destroy();
  return perSecond;
}

/** A running build with eight users. */
interface Build {
  readonly name: string;
  readonly pool: pg.Pool;
  readonly owners: readonly Owner[];
  readonly end: () => Promise<void>;
}

/** @param root of the build, whose own code starts the service and creates the users. */
async function start(root: string, name: string, dir: string): Promise<Build> {
  const its = <T>(file: string): Promise<T> => import(join(root, 'dist', file)) as Promise<T>;
  const { provision } = await its<typeof PrivateService>('bench/private-service.js');
  const { seedUser } = await its<typeof Seeding>('bench/seeding.js');
  const { serviceDataSource } = await its<typeof Database>('src/ops/service-database.js').catch(
    () => its<typeof Database>('src/server/app.js'), // in earlier builds
  );
  const { openDatabase } = await its<typeof Provision>('src/database/postgres/provision.js');
  const { startService } = await its<typeof Service>('src/server/service.js');
  const { home, config } = await provision(dir);
  const service = await startService(home, config, report);
  const database = await openDatabase({ home, url: undefined, report });
  const db = await serviceDataSource(database.url, config).initialize();
  const platform = await service.tenants.platforms.create();
  const owners: Owner[] = [];
  for (let n = 0; n < 8; n += 1) {
    const made = await service.tenants.users.create(platform.id, `user ${n}`);
    await seedUser(db, { userId: made.user_id, images: imagesPerUser });
    const ids: { id: string }[] = await db.query(
      'SELECT id FROM images WHERE user_id = $1 AND deleted_at IS NULL',
      [made.user_id],
    );
    owners.push({
      imagesUrl: `${service.url}/api/v1/users/${made.user_id}/images`,
      token: made.access_token,
      images: ids.map(({ id }) => id),
    });
  }
  await db.destroy();
  const pool = new pg.Pool({ connectionString: database.url, max: 8 });
  await pool.query('CREATE TABLE bare AS SELECT n, 0 AS value FROM generate_series(1, 10000) AS n');
  await pool.query('ALTER TABLE bare ADD PRIMARY KEY (n)');
  const end = async (): Promise<void> => {
    await pool.end();
    await database.close();
    await service.stop();
  };
  return { name, pool, owners, end };
}

const bareUpdates = ({ pool }: Build, concurrency: number): Promise<number> =>
  rate(concurrency, async (n) => {
    await pool.query('UPDATE bare SET value = value + 1 WHERE n = $1', [1 + (n % 10_000)]);
    return true;
  });

const median = (values: readonly number[] = []): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function measureKind(
  child: ChildProcess,
  builds: readonly Build[],
  { kind, users, concurrency }: { kind: KindName; users: number; concurrency: number },
): Promise<void> {
  const http = new Map<Build, number[]>(builds.map((build) => [build, []]));
  const bare: number[] = [];
  const { reset }: Kind = kinds[kind];
  for (let turn = 0; turn < turns; turn += 1) {
    for (const build of builds) {
      if (reset) await build.pool.query(reset);
      child.send({ kind, concurrency, owners: build.owners.slice(0, users) } satisfies Task);
      http.get(build)?.push(((await once(child, 'message')) as [number])[0]);
    }
    if (builds[0]) bare.push(await bareUpdates(builds[0], concurrency));
  }
  const [limit, first] = [median(bare), median(http.get(builds[0] as Build))];
  const figures = builds.map((build) => {
    const perSecond = median(http.get(build));
    const ratios = `${(perSecond / limit).toFixed(3)} of bare, ${(perSecond / first).toFixed(2)} ×`;
    return `${build.name} ${perSecond.toFixed(0)}/s (${ratios})`;
  });
  const what = `${kind}, ${users} user${users > 1 ? 's' : ''}, c=${concurrency}`;
  console.log(`${what.padEnd(24)} bare ${limit.toFixed(0)}/s   ${figures.join('   ')}`);
}

async function main(roots: readonly string[]): Promise<void> {
  const dirs: string[] = [];
  const child = fork(fileURLToPath(import.meta.url), ['load']);
  const builds: Build[] = [];
  try {
    for (const root of [...roots, here]) {
      const name = root === here ? 'this build' : root;
      const dir = await mkdtemp(join(tmpdir(), 'imgstore-small-writes-'));
      dirs.push(dir);
      builds.push(await start(root, name, dir));
    }
    for (const kind of Object.keys(kinds) as KindName[]) {
      await measureKind(child, builds, { kind, users: 1, concurrency: 1 });
      await measureKind(child, builds, { kind, users: 1, concurrency: 8 });
      await measureKind(child, builds, { kind, users: 8, concurrency: 8 });
    }
  } finally {
    child.disconnect();
    for (const build of builds) await build.end();
    for (const dir of dirs) await rm(dir, { recursive: true, force: true });
  }
}

if (process.argv[2] === 'load') {
  process.on('message', (task: Task) => void load(task).then((taken) => process.send?.(taken)));
} else {
  await main(process.argv.slice(2).map((root) => resolve(root)));
}
