import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, test } from 'node:test';
import type { Home } from '../../src/base/config/home.js';
import { createDataSource, hostInUse } from '../../src/database/data-source.js';
import { statesOfHosts, urlOfWriter } from '../../src/database/hosts.js';
import { column } from '../../src/database/sql.js';
import { newHome } from '../../testkit/command.js';
import { pairOfServers, type Pair } from '../../testkit/database-servers.js';
import { eventually } from '../../testkit/eventually.js';
import type { Client } from '../../testkit/client.js';
import { hosted } from '../../testkit/hosted-command.js';
import { lastFirst, type Scope } from '../../testkit/scope.js';
import { ownService, type TestService } from '../../testkit/service.js';
import { TusClient } from '../../testkit/tus.js';
import type { CheckResult } from '../doctor/patient.js';

/** Writers that note which of their folders a service has acknowledged. */
class Ledger {
  readonly acknowledged: string[] = [];
  /** Answers of 503. */
  refused = 0;
  #stopped = false;
  readonly #writing: Promise<void>[];

  private constructor(
    private readonly client: Client,
    private readonly path: string,
    private readonly token: string,
  ) {
    this.#writing = Array.from({ length: 4 }, () => this.#write());
  }

  static async open(service: TestService): Promise<Ledger> {
    const { id, token } = await service.user();
    return new Ledger(service.client, `/api/v1/users/${id}/folders`, token);
  }

  async #write(): Promise<void> {
    while (!this.#stopped) {
      const { status, result } = await this.client.post<{ id: string }>(this.path, {
        as: ['User', this.token],
        form: { title: randomUUID() },
        headers: { 'Idempotency-Key': randomUUID() },
      });
      if (status === 200) this.acknowledged.push(result.id);
      else {
        assert.equal(status, 503);
        this.refused += 1;
        await delay(20);
      }
    }
  }

  /** Waits for so many more acknowledgements. */
  async goesOn(more = 10, ms?: number): Promise<void> {
    const wanted = this.acknowledged.length + more;
    await eventually(`${more} more`, () => this.acknowledged.length >= wanted, ms);
  }

  async close(): Promise<readonly string[]> {
    this.#stopped = true;
    await Promise.all(this.#writing);
    return this.acknowledged;
  }
}

/** A service on a primary whose commits wait for its standby. */
async function synchronous(parent: Scope): Promise<{ pair: Pair; service: TestService }> {
  const scope = lastFirst(parent);
  const pair = await pairOfServers(scope);
  await pair.primary.server.ask(
    `ALTER SYSTEM SET synchronous_standby_names = '*'`,
    'SELECT pg_reload_conf()',
  );
  return { pair, service: await ownService(scope, { 'database.url': pair.url }) };
}

const becomes = (service: TestService, status: number, ms: number): Promise<void> =>
  eventually(
    `readiness is ${status}`,
    async () => (await service.client.raw('GET', '/readyz')).status === status,
    ms,
  );

/** What doctor says of the hosts. */
async function hostsOf(home: Home, { url }: Pair): Promise<CheckResult> {
  const args = ['--only', 'hosts', '--json', '--home', home.dir, '--database-url', url];
  const { checks } = (await hosted(['doctor', ...args])).json<{ checks: CheckResult[] }>();
  return checks[0] as CheckResult;
}

/** How soon a node says that nothing takes writes, and answers once something does. */
const noticedMs = 5_000;
const answeredMs = 15_000;

const limits = { poolSize: 2, statementTimeoutMs: 0, entities: [], migrations: [] };

describe('a database of two hosts', () => {
  for (const [how, fail] of [
    ['is killed', ({ server }) => server.end('SIGQUIT')],
    ['no longer answers', async ({ relay }) => void (relay.mode = 'hang')],
  ] satisfies [string, (primary: Pair['primary']) => Promise<void>][]) {
    test(`loses nothing that was acknowledged when its primary ${how}`, async (t) => {
      const { pair, service } = await synchronous(t);
      const ledger = await Ledger.open(service);
      await ledger.goesOn();
      await fail(pair.primary);
      await becomes(service, 503, noticedMs);
      await pair.standby.server.ask('SELECT pg_promote()');
      await becomes(service, 200, answeredMs);
      await ledger.goesOn(10, answeredMs);
      const acknowledged = await ledger.close();
      assert.ok(ledger.refused > 0);
      const { found } = await pair.standby.server.ask<{ found: number }>(
        `SELECT count(*)::int AS found FROM folders WHERE id = ANY('{${acknowledged.join()}}')`,
      );
      assert.equal(found, acknowledged.length);
    });
  }

  test('acknowledges nothing that its standby may not have', async (t) => {
    const { pair, service } = await synchronous(t);
    const { server } = pair.primary;
    const { id: user, token } = await service.user();
    const title = randomUUID();
    const create = (name = title) =>
      service.client.post<{ id: string }>(`/api/v1/users/${user}/folders`, {
        as: ['User', token],
        form: { title: name },
        headers: { 'Idempotency-Key': name },
      });
    const tus = new TusClient(service.client.base, { id: user, token });
    const upload = await tus.begin(8);
    await pair.standby.server.end('SIGINT');
    // What writes nothing does not wait.
    const check = { as: ['User', token], form: { hashes: 'ab'.repeat(32) } } as const;
    const { status } = await service.client.post(`/api/v1/users/${user}/images/check`, check);
    assert.deepEqual([status, (await tus.send('HEAD', upload)).status], [200, 200]);
    // As an administrator might, to get the service going again.
    const cutShort = async (): Promise<void> => {
      let isAnswered = false;
      const answer = create().finally(() => (isAnswered = true));
      await eventually('it is answered', async () => {
        await server.ask(
          `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`,
        );
        return isAnswered;
      });
      const { status, headers, error } = await answer;
      assert.deepEqual([status, error?.code], [503, 'unavailable']);
      assert.ok(headers.get('retry-after'));
    };
    await cutShort();
    const sql = 'SELECT id FROM folders WHERE title = $1';
    const [made] = await column<string>(service.db, sql, [title]);
    assert.ok(made, 'PostgreSQL has committed it');
    await cutShort(); // a repeat is not answered from there, either
    await pair.standby.server.start();
    const repeated = await create();
    assert.deepEqual([repeated.status, repeated.result.id], [200, made]);
    const { level, message } = await hostsOf(service.home, pair);
    assert.equal(level, 'ok');
    assert.match(message, /^127\S+ takes writes; 127\S+ stands by, up to date\. Commits wait for/);
    await pair.standby.server.ask('SELECT pg_wal_replay_pause()');
    assert.equal((await create(randomUUID())).status, 200);
    const behind = await hostsOf(service.home, pair);
    assert.equal(behind.level, 'warning');
    assert.match(
      behind.message,
      /^127\S+ takes writes\. The host 127\S+ is more than 5 seconds behind\.$/,
    );
    assert.match(behind.remedy ?? '', /pg_stat_replication/);
  });

  test('is left when it becomes read-only, and found again by itself', async (t) => {
    const scope = lastFirst(t);
    const pair = await pairOfServers(scope);
    const service = await ownService(scope, { 'database.url': pair.url });
    const { server } = pair.primary;
    const { level, message, remedy } = await hostsOf(service.home, pair);
    assert.equal(level, 'warning');
    assert.match(
      message,
      /^127\S+ takes writes, and commits do not wait for 127\S+: the last ones/,
    );
    assert.match(
      remedy ?? '',
      /synchronous_mode: true; .*psql .*synchronous_standby_names = .*ANY 1/,
    );
    const lock = service.db.createQueryRunner();
    scope.after(() => lock.release());
    await lock.query('SELECT pg_advisory_lock(1)');
    await server.ask(
      `ALTER SYSTEM SET default_transaction_read_only = on`,
      'SELECT pg_reload_conf()',
    );
    await becomes(service, 503, noticedMs);
    await server.ask(
      'SET default_transaction_read_only = off',
      'ALTER SYSTEM RESET default_transaction_read_only',
      'SELECT pg_reload_conf()',
    );
    await becomes(service, 200, answeredMs);
    await server.ask(
      `ALTER SYSTEM SET default_transaction_read_only = on`,
      'SELECT pg_reload_conf()',
    );
    await pair.standby.server.ask('SELECT pg_promote()');
    await becomes(service, 200, answeredMs);
    // Its sessions end, even busy ones and those that hold locks.
    await eventually('it has ended', () =>
      lock.query('SELECT 1').then(
        () => false,
        () => true,
      ),
    );
    const port = Number(new URL(pair.standby.relay.url).port);
    const states = await statesOfHosts(pair.url);
    assert.deepEqual(
      states.map(({ state, text }) => [state, text]),
      [
        ['stands by', new URL(pair.primary.relay.url).host],
        ['takes writes', `127.0.0.1:${port}`],
      ],
    );
  });

  test('is not looked for on a host that does not answer, nor on a former primary', async (t) => {
    const scope = lastFirst(t);
    const pair = await pairOfServers(scope);
    const { primary, standby } = pair;
    const connected = async () => {
      const db = await createDataSource({ url: pair.url, ...limits }).initialize();
      scope.after(() => db.destroy());
      return db;
    };
    standby.relay.mode = 'hang';
    const db = await connected();
    primary.relay.mode = 'hang';
    await assert.rejects(connected(), /no host takes writes: .*timeout expired.*; .*timeout/);
    primary.relay.mode = 'pass';
    standby.relay.mode = 'hang';
    // One that takes writes only after it was asked is found while another does not answer.
    await primary.relay.cut();
    const { connections } = standby.relay;
    const waiting = connected();
    await eventually('it is asked', () => standby.relay.connections > connections);
    await primary.relay.reconnect();
    await waiting;
    standby.relay.mode = 'pass';
    // The primary has not noticed: it goes on.
    await standby.server.ask('SELECT pg_promote()');
    const { host } = new URL(standby.relay.url);
    await eventually('the promoted one is in use', async () => {
      await db.query('SELECT 1').catch(() => undefined); // sessions on the former primary end
      return hostInUse(db) === host;
    });
    assert.ok((await urlOfWriter(pair.url)).includes(`@${host}/`));
    const home = await newHome(t);
    await mkdir(home.dir);
    const { level, message } = await hostsOf(home, pair);
    assert.equal(level, 'problem');
    assert.match(message, /More than one host takes writes: 127\S+, 127/);
  });
});
