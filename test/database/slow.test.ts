import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import type { Home } from '../../src/base/config/home.js';
import { checkDatabase } from '../../src/database/postgres/check-external.js';
import { openDatabase } from '../../src/database/postgres/provision.js';
import { eventually } from '../../testkit/eventually.js';
import { newHome, postmasterPid, type Failure } from '../../testkit/command.js';
import { hosted } from '../../testkit/hosted-command.js';
import { copiedHome, homeWithCluster } from '../../testkit/copied-home.js';
import { testDatabase } from '../../testkit/database.js';
import { longOnly } from '../../testkit/long-form.js';
import { Relay } from '../../testkit/relay.js';
import type { Scope } from '../../testkit/scope.js';
import { serve } from '../../testkit/appliance.js';
import { killNow, processStart } from '../../testkit/processes.js';

const silent = () => undefined;

/** Delays new sessions of a home's server by some seconds, as on a machine under load. */
const slowDown = (home: Home, seconds: number) =>
  appendFile(join(home.database, 'cluster/postgresql.auto.conf'), `pre_auth_delay = ${seconds}\n`);

const model = await homeWithCluster({ after });
const made = await hosted(['init', '--home', model.dir, '--json']);
assert.equal(made.code, 0, made.stdout);

const privateHome = (scope: Scope): Promise<Home> => copiedHome(scope, model);

/** A test database behind a relay, like a remote server. */
async function distant(scope: Scope) {
  const { url } = await testDatabase(scope);
  const { username, password, pathname, searchParams } = new URL(url.replace('@/', '@host/'));
  const relay = await Relay.toSocket(join(searchParams.get('host') ?? '', '.s.PGSQL.5432'));
  scope.after(() => relay.cut());
  const { host } = new URL(relay.url);
  return { relay, url: `postgresql://${username}:${password}@${host}${pathname}` };
}

async function ask(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function refused(home: Home, ...args: string[]): Promise<Failure['error']> {
  const ran = await hosted(['serve', '--home', home.dir, '--port', '0', '--json', ...args]);
  const { error } = ran.json<Failure>();
  assert.equal(ran.code, error.exit_code);
  assert.ok(error.setting && error.remedy, ran.stdout);
  return error;
}

describe('a private database', { concurrency: 3 }, () => {
  test(
    'that takes 3 s for a session is waited for, even when it is restarted',
    longOnly,
    async (t) => {
      const home = await privateHome(t);
      await slowDown(home, 3);
      const service = await serve(t, home);
      const ready = async () => (await service.client.raw('GET', '/readyz')).status === 200;
      await eventually('it has opened its sessions and is ready', ready);
      const first = (await postmasterPid(home)) as number;
      const held = await openDatabase({ home, report: silent });
      killNow(first);
      await held.revive();
      const second = (await postmasterPid(home)) as number;
      assert.notEqual(second, first);
      assert.equal(await service.end(), 0);
      assert.ok(processStart(second), 'the server that was launched runs for its other user');
      await held.close();
    },
  );

  test(
    'that accepts no login is 69, and keeps running for its other users',
    longOnly,
    async (t) => {
      const home = await privateHome(t);
      const held = await openDatabase({ home, report: silent });
      const pid = (await postmasterPid(home)) as number;
      await slowDown(home, 25);
      killNow(pid);
      const error = await refused(home);
      assert.equal(error.exit_code, 69);
      assert.match(error.message, /not responding/);
      const launched = (await postmasterPid(home)) as number;
      assert.ok(launched && launched !== pid, 'the launched server keeps running');
      await held.close();
    },
  );
});

describe('an external database', { concurrency: 3 }, () => {
  test('that accepts a connection but never answers is 69', async (t) => {
    const home = await newHome(t);
    const { relay, url } = await distant(t);
    const init = ['init', '--home', home.dir, '--json', '--database-url', url];
    assert.equal((await hosted(init)).code, 0);
    relay.mode = 'hang';
    const error = await refused(home);
    assert.equal(error.exit_code, 69);
    assert.equal(error.setting, 'database.url');
    assert.match(error.message, /does not answer in time: timeout expired/);
  });

  test('that turns read-only is said to be so by /readyz, doctor and the log, and then works again', async (t) => {
    const home = await newHome(t);
    const { url } = await testDatabase(t);
    const on = ['--home', home.dir, '--database-url', url, '--json'];
    assert.equal((await hosted(['init', ...on])).code, 0);
    const service = await serve(t, home, ['--database-url', url]);
    const readiness = async (): Promise<[number, string]> => {
      const response = await service.client.raw('GET', '/readyz');
      return [response.status, ((await response.json()) as { message?: string }).message ?? ''];
    };
    const become = (change: string) =>
      ask(
        url,
        `SET TRANSACTION READ WRITE; ${change};
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
    const name = new URL(url.replace('@/', '@host/')).pathname.slice(1);
    await become(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await eventually('it says so', async () => {
      const [status, message] = await readiness();
      return status === 503 && message === 'The database accepts no changes.';
    });
    await eventually('the log says what to do', async () =>
      /accepts no changes.*remedy.*RESET default_transaction_read_only/.test(service.log),
    );
    const doctor = await hosted(['doctor', '--only', 'database', ...on]);
    assert.match(doctor.stdout, /read-only.*RESET default_transaction_read_only/s);
    await assert.rejects(checkDatabase(url), {
      exitCode: 69,
      message: 'The database is read-only.',
    });
    await become(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await eventually('it works again', async () => (await readiness())[0] === 200);
  });

  test('that disconnects is 69; one without the login or the database is 78', async (t) => {
    const { relay, url } = await distant(t);
    relay.mode = 'drop-answers';
    await assert.rejects(checkDatabase(url), { exitCode: 69, setting: 'database.url' });
    await checkDatabase(url);
    await assert.rejects(checkDatabase(`${url}_unknown`), { exitCode: 78, message: /not exist/ });
    await assert.rejects(checkDatabase(url.replace('imgstore:', 'nobody:')), { exitCode: 78 });
    await assert.rejects(checkDatabase(url.replace(/:[^:@]*@/, '@')), { exitCode: 78 });
  });

  test('that has too many sessions is 69', async (t) => {
    const { url } = await testDatabase(t);
    const { pathname } = new URL(url.replace('@/', '@host/'));
    await ask(url, `ALTER DATABASE ${pathname.slice(1)} CONNECTION LIMIT 0`);
    await assert.rejects(checkDatabase(url), { exitCode: 69, message: /too many connections/ });
  });
});
