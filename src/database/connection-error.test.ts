import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import type { EntityManager } from 'typeorm';
import { testDatabase } from '../../testkit/database.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import { isConnectionError, explainServer } from './connection-error.js';
import { createDataSource } from './data-source.js';
import { asSuperuser } from './postgres/connect.js';

const source = (url: string, statementTimeoutMs = 20_000) =>
  createDataSource({ url, poolSize: 2, statementTimeoutMs, entities: [], migrations: [] });

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail('it succeeded'),
    (error: unknown) => error,
  );

test('a missing socket or closed port is a connection error, a missing file is not', async (t) => {
  const dir = await temporaryDirectory('connect');
  t.after(() => rm(dir, { recursive: true, force: true }));
  const noSocket = source(`postgresql://u:p@/d?host=${encodeURIComponent(dir)}`);
  assert.ok(isConnectionError(await failureOf(noSocket.initialize())));
  assert.ok(
    isConnectionError(await failureOf(source('postgresql://u@127.0.0.1:1/d').initialize())),
  );
  assert.ok(!isConnectionError(await failureOf(readFile(join(dir, 'no')))));
});

test('a server that accepts but never answers is given up', async (t) => {
  const mute = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  t.after(() => mute.close());
  const { port } = mute.address() as { port: number };
  const error = await failureOf(source(`postgresql://u@127.0.0.1:${port}/d`).initialize());
  assert.ok(isConnectionError(error));
});

test('a session terminated by the server is a connection error, and the pool recovers', async (t) => {
  const { url } = await testDatabase(t);
  const dataSource = await source(url).initialize();
  t.after(() => dataSource.destroy());
  const other = new pg.Client({ connectionString: url });
  other.on('error', () => undefined); // dropping the database terminates it
  await other.connect();
  t.after(() => other.end());
  const kill = () =>
    other.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
  // Its own session is terminated in the middle of a statement.
  const ended = failureOf(
    dataSource.query('SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(600)'),
  );
  assert.ok(isConnectionError(await ended));
  const recovered = async () => {
    // The pool may hand out each of its two dead connections before it notices that they closed.
    for (let dead = 0; ; dead += 1) {
      const answer = await dataSource.query<unknown>('SELECT 1 AS one').catch((e: unknown) => e);
      if (!(answer instanceof Error)) return;
      assert.ok(isConnectionError(answer) && dead < 2, answer);
    }
  };
  await recovered();
  await kill(); // while idle in the pool
  await recovered();
});

test('a faulty statement and a statement timeout are not connection errors', async (t) => {
  const { url } = await testDatabase(t);
  const dataSource = await source(url, 300).initialize();
  t.after(() => dataSource.destroy());
  assert.ok(!isConnectionError(await failureOf(dataSource.query('SELECT nonsense'))));
  const slow = await failureOf(dataSource.query('SELECT pg_sleep(600)'));
  assert.equal((slow as { code?: string }).code, '57014');
  assert.ok(!isConnectionError(slow));
});

test('bigint is returned as a number, and rejected if it exceeds the safe range', async (t) => {
  const { url } = await testDatabase(t);
  const dataSource = await source(url).initialize();
  t.after(() => dataSource.destroy());
  assert.deepEqual(await dataSource.query('SELECT 5000000000::bigint AS n'), [{ n: 5e9 }]);
  await assert.rejects(dataSource.query('SELECT 9007199254740993::bigint'), /too large/);
  assert.deepEqual(await dataSource.query('SELECT 1::bigint AS n'), [{ n: 1 }]);
});

test('a session that ends between two statements of a transaction is a connection error', async (t) => {
  const { url } = await testDatabase(t);
  const db = await source(url).initialize();
  t.after(() => db.destroy());
  const losing = (next: (tx: EntityManager) => Promise<unknown>) =>
    db.transaction(async (tx) => {
      const [{ pid }] = await tx.query<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
      await db.query('SELECT pg_terminate_backend($1)', [pid]);
      while (!tx.queryRunner?.isReleased) await setImmediate();
      await next(tx);
    });
  const plain = (tx: EntityManager) => tx.query('SELECT 1');
  const built = (tx: EntityManager) =>
    tx.createQueryBuilder().insert().into('platforms', ['name']).values({ name: 'a' }).execute();
  const none = () => Promise.resolve(); // its commit then fails
  for (const next of [plain, built, none]) {
    const error = await failureOf(losing(next));
    assert.ok(isConnectionError(error), String(error));
  }
});

test('a server without disk space exits with 69, also in the middle of a migration', async (t) => {
  const { url } = await testDatabase(t);
  const full = asSuperuser(url.replace('//imgstore:', '//postgres:'), [
    `SET temp_file_limit = '1kB'`,
    `SET work_mem = '64kB'`,
    'SELECT count(*) FROM (SELECT n FROM generate_series(1, 100000) n ORDER BY n % 7) AS sorted',
  ]);
  const explained = explainServer(await failureOf(full));
  assert.equal(explained?.exitCode, 69);
  assert.equal(explained.setting, 'database.url');
  assert.match(explained.message, /has run out of resources: temporary file size exceeds/);
  assert.match(explained.remedy ?? '', /free up disk space/);
});

test('a faulty statement is not reported as server trouble', async (t) => {
  const { url } = await testDatabase(t);
  assert.equal(explainServer(await failureOf(asSuperuser(url, ['SELECT nonsense']))), undefined);
});
