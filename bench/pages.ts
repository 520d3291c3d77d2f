/**
 * Pages of 60 of one user's images: over HTTP with signed URLs, compared with the same SQL through
 * pg alone; and halfway down, by paging and by random access, compared with the first page. The
 * load comes from a child process.
 *
 *     npm run pages [-- IMAGES [HOME]] default 1,000,000; with a home, the seeded data stays there
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { serviceDataSource } from '../src/app.js';
import { openDatabase } from '../src/postgres/provision.js';
import { row } from '../src/database/sql.js';
import { startService } from '../src/service.js';
import type { RunningService } from '../src/service.js';
import { plainFirstPage } from './plain-page.js';
import { provision, report } from './private-service.js';
import { seedUser } from './seeding.js';

const size = 60;
const turns = 5;
const concurrency = 8;
const secondsPerTurn = 3;

interface Task {
  readonly address: string;
  readonly token: string;
  /** Requested one after the other, if given; otherwise the first page, repeatedly. */
  readonly indexes?: readonly number[];
}

/** In the child: pages per second at full load, or the milliseconds of each page one by one. */
async function load({ address, token, indexes }: Task): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const page = async (index: number): Promise<number> => {
    const start = performance.now();
    const headers = { Authorization: `User ${token}` };
    const request = get(`${address}?last_index=${index}`, { agent, headers });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(answer, 'end');
    const taken = performance.now() - start;
    if (Buffer.concat(chunks).includes(`"count":${size},`)) return taken;
    throw new Error(`${answer.statusCode} for the page at ${index}`);
  };
  if (!indexes) return [await rate(() => page(0))];
  const taken: number[] = [];
  for (const index of indexes) taken.push(await page(index));
  return taken;
}

async function rate(page: () => Promise<unknown>): Promise<number> {
  const end = performance.now() + secondsPerTurn * 1000;
  let done = 0;
  const client = async (): Promise<void> => {
    for (; performance.now() < end; done += 1) await page();
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  return done / secondsPerTurn;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** A user with that many images, existing or seeded. */
async function userWith(images: number, db: DataSource, { tenants }: RunningService) {
  const sql = `SELECT id FROM users WHERE active_images + trashed_images >= $1 LIMIT 1`;
  const found = await row<{ id: string }>(db, sql, [images]);
  if (found) return found.id;
  const platform = await tenants.platforms.create();
  const { user_id: id } = await tenants.users.create(platform.id, 'many images');
  report(`Creating ${images} images`);
  await seedUser(db, { userId: id, images });
  await db.query('VACUUM images');
  return id;
}

const formatRow = (what: string, figure: string, ratio: number, goal: string): void =>
  console.log(`${what.padEnd(34)}${figure.padStart(12)}   ratio ${ratio.toFixed(2)} (${goal})`);

async function measure(child: ChildProcess, task: Task, url: string, userId: string, half: number) {
  const ask = async (indexes?: readonly number[]): Promise<number[]> => {
    child.send({ ...task, ...(indexes && { indexes }) } satisfies Task);
    return ((await once(child, 'message')) as [number[]])[0];
  };
  const pool = new pg.Pool({ connectionString: url, max: concurrency });
  const bare = plainFirstPage(pool, userId, size);
  const http: number[] = [];
  const sql: number[] = [];
  const first: number[] = [];
  const walking: number[] = [];
  const cold: number[] = [];
  await ask();
  await rate(bare);
  for (let turn = 0; turn < turns; turn += 1) {
    http.push(...(await ask()));
    sql.push(await rate(bare));
    const steps = Array.from({ length: 40 }, (_, n) => n);
    first.push(...(await ask(steps.map(() => 0))));
    // No page has ended at any of these.
    cold.push(...(await ask(steps.map((n) => half + 7 + (turn * 40 + n) * 101))));
    walking.push(...(await ask(steps.map((n) => half + n * size))).slice(1));
  }
  await pool.end();
  const [perSecond, limit] = [median(http), median(sql)];
  formatRow(
    `first page, concurrency ${concurrency}`,
    `${perSecond.toFixed(0)}/s`,
    perSecond / limit,
    'goal: at least 0.60',
  );
  console.log(`${'  the same SQL through pg'.padEnd(34)}${`${limit.toFixed(0)}/s`.padStart(12)}`);
  console.log(`${'first page, alone'.padEnd(34)}${`${median(first).toFixed(1)} ms`.padStart(12)}`);
  for (const [what, times, goal] of [
    [`at ${half}, paging`, walking, 1.5],
    [`at ${half}, by random access`, cold, 5],
  ] as const) {
    const ms = median(times);
    formatRow(what, `${ms.toFixed(1)} ms`, ms / median(first), `goal: at most ${goal}`);
  }
}

async function main(images: number, dir: string): Promise<void> {
  const { home, config } = await provision(dir);
  const service = await startService(home, config, report);
  const database = await openDatabase({ home, url: undefined, report });
  const db = await serviceDataSource(database.url, config).initialize();
  const child = fork(fileURLToPath(import.meta.url), ['load']);
  try {
    const userId = await userWith(images, db, service);
    const { access_token: token } = await service.tenants.users.issueTokens(userId);
    const address = `${service.url}/api/v1/users/${userId}/images`;
    await db.query('TRUNCATE walks');
    await measure(child, { address, token }, database.url, userId, Math.floor(images / 2));
  } finally {
    child.disconnect();
    await db.destroy();
    await database.close();
    await service.stop();
  }
}

if (process.argv[2] === 'load') {
  process.on('message', (task: Task) => void load(task).then((taken) => process.send?.(taken)));
} else {
  const [images = '1000000', kept] = process.argv.slice(2);
  const dir = kept ?? (await mkdtemp(join(tmpdir(), 'imgstore-pages-')));
  await mkdir(dir, { recursive: true });
  try {
    await main(Number(images), dir);
  } finally {
    if (!kept) await rm(dir, { recursive: true, force: true });
  }
}
