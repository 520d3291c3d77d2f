import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import pg from 'pg';
import { testDatabase } from '../../testkit/database.js';
import type { Scope } from '../../testkit/scope.js';
import { isConnectionError } from './connection-error.js';
import { createDataSource } from './data-source.js';

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
