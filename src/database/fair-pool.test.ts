import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { after, test } from 'node:test';
import pg from 'pg';
import { testDatabase } from '../../testkit/database.js';
import type { Scope } from '../../testkit/scope.js';
import { isConnectionError } from './connection-error.js';
import { createDataSource } from './data-source.js';
import { runAsCaller } from './fairness.js';
import { InstanceEntity } from './instance.js';
import { row } from './sql.js';

const { url } = await testDatabase({ after });
const options = {
  url,
  poolSize: 8,
  statementTimeoutMs: 20_000,
  entities: [InstanceEntity],
  migrations: [],
};
const db = await createDataSource(options).initialize();
after(() => db.destroy());

const busy = async () =>
  (
    await row<{ busy: number }>(
      db,
      `SELECT count(*)::int AS busy FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE '%/* slow */%' AND state = 'active'
         AND pid <> pg_backend_pid()`,
    )
  )?.busy;

async function busyWith(connections: number): Promise<void> {
  while ((await busy()) !== connections) await new Promise((resolve) => setImmediate(resolve));
}

/** Uses all connections that are left, after whoever has asked for one before. */
const useTheOthers = () =>
  Promise.all(Array.from({ length: 2 * options.poolSize }, () => db.query('SELECT 1')));

test('one caller holds a quarter of the connections, and returns them all', async () => {
  const lock = db.createQueryRunner();
  await lock.query('SELECT pg_advisory_lock(1)');
  const slow = Array.from({ length: 20 }, (_, n) =>
    runAsCaller('greedy', () =>
      n % 2
        ? db.query('/* slow */ SELECT pg_advisory_lock_shared(1), pg_advisory_unlock_shared(1)')
        : db.transaction((tx) =>
            tx.query('/* slow */ SELECT pg_advisory_xact_lock_shared($1)', [1]),
          ),
    ),
  );
  const failing = assert.rejects(
    runAsCaller('greedy', () => db.query('SELECT no_such_column')),
    /no_such_column/,
  );
  assert.deepEqual(await runAsCaller('other', () => db.query('SELECT 1 AS one')), [{ one: 1 }]);
  await busyWith(2);
  await useTheOthers();
  assert.equal(await busy(), 2);
  await lock.query('SELECT pg_advisory_unlock(1)');
  await lock.release();
  await Promise.all(slow);
  await failing;
  await Promise.all(
    Array.from({ length: 20 }, () => runAsCaller('greedy', () => db.query('SELECT 1'))),
  );
});

test('repositories and query builders count toward their caller as well', async () => {
  const lock = db.createQueryRunner();
  await lock.startTransaction();
  await lock.query('LOCK TABLE instance');
  const waiting = async () =>
    (
      await row<{ waiting: number }>(
        db,
        `SELECT count(*)::int AS waiting FROM pg_locks
         WHERE relation = 'instance'::regclass AND NOT granted`,
      )
    )?.waiting;
  const reads = Array.from({ length: 10 }, (_, n) =>
    runAsCaller('greedy', () =>
      n % 2
        ? db.getRepository(InstanceEntity).find()
        : db.createQueryBuilder().select('i.id').from(InstanceEntity, 'i').getRawMany(),
    ),
  );
  while ((await waiting()) !== 2) await new Promise((resolve) => setImmediate(resolve));
  await useTheOthers();
  assert.equal(await waiting(), 2);
  await lock.rollbackTransaction();
  await lock.release();
  await Promise.all(reads);
});

test('work without a caller is not throttled', async () => {
  const lock = db.createQueryRunner();
  await lock.query('SELECT pg_advisory_lock(1)');
  const own = Array.from({ length: 5 }, () =>
    db.query('/* slow */ SELECT pg_advisory_lock_shared(1), pg_advisory_unlock_shared(1)'),
  );
  await busyWith(5);
  await lock.query('SELECT pg_advisory_unlock(1)');
  await lock.release();
  await Promise.all(own);
});

/** A proxy to the database that can drop all connections: each fails at its next packet. */
async function lossyProxy(scope: Scope, url: string) {
  const { host, port, user, password, database } = new pg.Client({ connectionString: url });
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const sockets = new Set<Socket>();
  let lost = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(target);
    sockets.add(near);
    near.on('data', (chunk) => (lost.has(near) ? near.resetAndDestroy() : far.write(chunk)));
    far.on('data', (chunk) => void near.write(chunk));
    for (const socket of [near, far]) {
      socket.on('error', () => undefined);
      socket.on('close', () => [near, far].forEach((one) => one.destroy()));
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  scope.after(async () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const login = `${user}:${encodeURIComponent(String(password ?? ''))}`;
  const proxyPort = (proxy.address() as AddressInfo).port;
  return {
    url: `postgresql://${login}@127.0.0.1:${proxyPort}/${database}`,
    lose: () => (lost = new Set(sockets)),
  };
}

test('when many connections are lost at once, only one request fails', async (t) => {
  const proxy = await lossyProxy(t, (await testDatabase(t)).url);
  const options = { poolSize: 4, statementTimeoutMs: 5_000, entities: [], migrations: [] };
  const db = await createDataSource({ url: proxy.url, ...options }).initialize();
  t.after(() => db.destroy());
  const all = (): Promise<unknown> =>
    Promise.all([1, 2, 3, 4].map(() => db.query('SELECT pg_sleep(0.05)')));
  await all();
  proxy.lose();
  await assert.rejects(db.query('SELECT 1'), (error) => isConnectionError(error));
  for (let n = 0; n < 4; n += 1) await db.query('SELECT 1');
  await all();
});
