import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import type { Home } from '../../src/base/config/home.js';
import { appliance, serve } from '../../testkit/appliance.js';
import { newHome, type Failure } from '../../testkit/command.js';
import { testDatabase } from '../../testkit/database.js';
import { eventually } from '../../testkit/eventually.js';
import { hosted } from '../../testkit/hosted-command.js';
import { freePort } from '../../testkit/nginx.js';
import { jpeg } from '../../testkit/pictures.js';
import { Relay } from '../../testkit/relay.js';
import type { Scope } from '../../testkit/scope.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

const program = '/usr/sbin/pgbouncer';
const skip = existsSync(program) ? false : 'needs PgBouncer';

/** A PgBouncer of the distribution before a database of the test server. @returns its URL. */
async function pgbouncer(scope: Scope, url: string, settings: string): Promise<string> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: url });
  // Its user may not enter the folder of the server's socket.
  const relay = host.startsWith('/') && (await Relay.toSocket(`${host}/.s.PGSQL.${port}`));
  const near = relay ? new URL(relay.url) : { hostname: host, port };
  const dir = await temporaryDirectory('pgbouncer');
  await chmod(dir, 0o755);
  const [listenPort, ini, users] = [await freePort(), join(dir, 'ini'), join(dir, 'users')];
  const logs = join(dir, 'log');
  await mkdir(logs);
  await chmod(logs, 0o777);
  await writeFile(users, `"${user}" "${password ?? ''}"\n`);
  await writeFile(
    ini,
    `[databases]
${database} = host=${near.hostname} port=${near.port} password=${password ?? ''}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
logfile = ${join(logs, 'log')}
${settings}
`,
  );
  // It refuses to run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(program, [ini], { stdio: 'ignore', ...nobody });
  const ended = once(child, 'exit');
  scope.after(async () => {
    child.kill('SIGKILL');
    await ended;
    if (relay) await relay.cut();
    await rm(dir, { recursive: true });
  });
  const login = `${user}:${encodeURIComponent(String(password))}`;
  const pooled = `postgresql://${login}@127.0.0.1:${listenPort}/${database}`;
  await eventually('PgBouncer answers', () => query(pooled, 'SELECT 1').then(Boolean, () => false));
  return pooled;
}

const passing = 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout';

describe('a pooler', { concurrency: 2, skip }, () => {
  const start = (command: 'init' | 'serve', { dir }: Home, url: string) =>
    hosted([command, '--json', '--home', dir, '--database-url', url]);

  for (const mode of ['transaction', 'statement']) {
    test(`in ${mode} mode is refused by its name before a lock is taken: 78`, async (t) => {
      const { url } = await testDatabase(t);
      const home = await newHome(t);
      assert.equal((await start('init', home, url)).code, 0);
      const pooled = await pgbouncer(t, url, `pool_mode = ${mode}\n${passing}`);
      for (const command of ['init', 'serve'] as const) {
        const refused = await start(command, home, pooled);
        const { exit_code, setting, message, remedy } = refused.json<Failure>().error;
        assert.deepEqual([exit_code, setting], [78, 'database.url'], message);
        assert.ok(message.includes(`pool_mode = ${mode}`), message);
        assert.match(
          String(remedy),
          /pool_mode = session .*: psql -h 127\.0\.0\.1 -p \d+ -U ADMIN pgbouncer -c RELOAD/,
        );
      }
      const locks = `SELECT FROM pg_locks WHERE locktype = 'advisory'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
      assert.deepEqual(await query(url, locks), []);
    });
  }

  test('in session mode works; one that rejects timeouts is explained', async (t) => {
    const { url } = await testDatabase(t);
    const home = await newHome(t);
    const strict = await start('init', home, await pgbouncer(t, url, 'pool_mode = session'));
    const { exit_code, remedy } = strict.json<Failure>().error;
    assert.equal(exit_code, 78);
    assert.match(String(remedy), /ignore_startup_parameters = statement_timeout/);
    const pooled = await pgbouncer(t, url, `pool_mode = session\n${passing}`);
    const serving = await serve(t, home, ['--database-url', pooled], 'up');
    const { user } = serving;
    const picture = await jpeg();
    const { status, result } = await user.tryUpload({}, picture);
    assert.equal(status, 200);
    await user.expectBytes(result.id, picture);
    assert.equal(await serving.end(), 0);
  });
});

describe('a database that turns read-only', async () => {
  const serving = await appliance({ after });
  const { home, user, databaseUrl: url = '' } = serving;
  const name = new URL(url.replace('@/', '@host/')).pathname.slice(1);
  const answersReadiness = (status: number) =>
    eventually(`readiness is ${status}`, async () => {
      const answer = await serving.client.raw('GET', '/readyz');
      return answer.status === status;
    });

  test('is not ready, answers 503, is named by doctor and serve; recovers by itself', async () => {
    await query(url, `ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
    // Sessions keep what they began with.
    await query(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await answersReadiness(503);
    const { status, error } = await user.tryUpload({}, await jpeg());
    assert.deepEqual([status, error?.code], [503, 'unavailable']);
    const doctor = await hosted(['doctor', '--json', '--home', home.dir]);
    assert.match(doctor.stdout, /The database is read-only.*RESET default_transaction_read_only/s);
    // Every command that opens it says so, `serve` included.
    const created = ['platform', 'create', '--name', 'x', '--json', '--home', home.dir];
    const { error: refusal } = (await hosted(created)).json<Failure>();
    assert.deepEqual([refusal.exit_code, refusal.setting], [69, 'database.url']);
    await query(
      url,
      `BEGIN; SET TRANSACTION READ WRITE;
       ALTER DATABASE "${name}" RESET default_transaction_read_only; COMMIT`,
    );
    await answersReadiness(200);
    // Other sessions of the pool began read-only, too; each is replaced when it is used.
    const picture = await jpeg({ seed: 2 });
    await eventually(
      'uploads are taken',
      async () => (await user.tryUpload({}, picture)).status === 200,
    );
  });
});
