import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import pg from 'pg';
import { commandLine } from '../../src/base/os/command-line.js';
import { createDataSource } from '../../src/database/data-source.js';
import { Home } from '../../src/base/config/home.js';
import type { OperatorError } from '../../src/base/errors/operator.js';
import { extensionsMissingFromDumps } from '../../src/ops/schema.js';
import { run } from '../../src/base/os/run.js';
import {
  openDatabase,
  planDatabase,
  provisionDatabase,
} from '../../src/database/postgres/provision.js';
import { copiedHome, homeWithCluster } from '../../testkit/copied-home.js';
import { eventually } from '../../testkit/eventually.js';
import { linkEngine } from '../../testkit/engine.js';
import { longOnly } from '../../testkit/long-form.js';
import type { Scope } from '../../testkit/scope.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import { killNow, processStart } from '../../testkit/processes.js';

const silent = () => undefined;
const isRoot = process.getuid?.() === 0;

/** A temporary home, which the server's user can reach; its server is stopped afterward. */
async function newHome(scope: Scope, name = 'home', mode = 0o755): Promise<Home> {
  const dir = await temporaryDirectory('cluster');
  await chmod(dir, mode);
  const home = new Home(join(dir, name));
  await mkdir(home.dir, { recursive: true });
  await linkEngine(home);
  scope.after(async () => {
    const pid = await serverPid(home).catch(() => undefined);
    if (pid && processStart(pid)) process.kill(pid, 'SIGQUIT');
    await rm(dir, { recursive: true, force: true });
  });
  return home;
}

const pidFile = (home: Home) => join(home.database, 'cluster/postmaster.pid');

const serverPid = async (home: Home): Promise<number> =>
  Number((await readFile(pidFile(home), 'utf8')).split('\n')[0]);

const provision = (home: Home) => provisionDatabase({ home, report: silent });
const open = (home: Home) => openDatabase({ home, report: silent });

const model = await homeWithCluster({ after });

/** A home with a private database whose server does not run. */
const provisioned = (scope: Scope): Promise<Home> => copiedHome(scope, model);

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Another process that does `work` with the home and its database, and then keeps running. */
function other(t: TestContext, home: Home, work: 'openDatabase' | 'provisionDatabase') {
  const module = new URL('../../src/database/postgres/provision.js', import.meta.url).href;
  const homes = new URL('../../src/base/config/home.js', import.meta.url).href;
  const code = `
    import { ${work} } from '${module}'; import { Home } from '${homes}';
    await ${work}({ home: new Home(${JSON.stringify(home.dir)}), report() {} });
    console.log('open'); setInterval(() => {}, 1e6);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

async function holder(t: TestContext, home: Home) {
  const child = other(t, home, 'openDatabase');
  await once(child.stdout, 'data');
  return child;
}

test('a home gets a private database that is durable, private, and spatial', async (t) => {
  const home = await newHome(t, 'it\'s a home, with "signs"');
  assert.match((await planDatabase({ home })).join('\n'), /create a private PostgreSQL database/);
  await assert.rejects(open(home), {
    exitCode: 78,
    remedy: commandLine('init', '--home', home.dir),
  });
  // As if the creation had been interrupted; it starts over.
  await mkdir(join(home.database, 'cluster.new/base'), { recursive: true });
  const first = await provision(home);
  assert.equal(first.kind, 'private');
  const [settings] = await query(
    first.url,
    `SELECT current_setting('listen_addresses') AS listen, current_setting('fsync') AS fsync,
       current_setting('data_checksums') AS sums, current_setting('server_encoding') AS encoding,
       (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS super,
       round(ST_Distance('POINT(127 37)'::geography, 'POINT(128 37)'::geography)) AS metres`,
  );
  assert.deepEqual(settings, {
    listen: '',
    fsync: 'on',
    sums: 'on',
    encoding: 'UTF8',
    super: false,
    metres: 89011,
  });
  assert.equal((await stat(join(home.secrets, 'database.password'))).mode & 0o777, 0o600);
  const options = { url: first.url, poolSize: 1, statementTimeoutMs: 0, entities: [] };
  const db = await createDataSource({ ...options, migrations: [] }).initialize();
  assert.deepEqual(await extensionsMissingFromDumps(db), []);
  await db.destroy();
  const wrong = first.url.replace(/:[^:@]+@/, ':wrong@');
  await assert.rejects(query(wrong, 'SELECT 1'), /password/);
  assert.match((await planDatabase({ home })).join('\n'), /^use the private PostgreSQL/);
  await first.close();
});

test('the last process to end stops the server; provisioning again keeps the data', async (t) => {
  const home = await provisioned(t);
  const first = await open(home);
  await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS n');
  const other = await holder(t, home);
  const pid = await serverPid(home);
  await first.close();
  assert.ok(processStart(pid), 'the server runs for the other process');
  other.kill('SIGKILL');
  await eventually('the server of a killed process ends', () => processStart(pid) === undefined);

  const second = await provision(home);
  assert.deepEqual(await query(second.url, 'SELECT n FROM kept'), [{ n: 7 }]);
  const last = await serverPid(home);
  await second.close();
  assert.equal(processStart(last), undefined);
  await second.close(); // closing twice is harmless
});

test('revive and the next process each restart a killed server', async (t) => {
  const home = await provisioned(t);
  const held = await open(home);
  const killed = await serverPid(home);
  killNow(killed);
  await held.revive();
  assert.notEqual(await serverPid(home), killed);
  await query(held.url, 'SELECT 1');
  killNow(await serverPid(home));
  const next = await open(home);
  await query(next.url, 'SELECT 1');
  await Promise.all([held.close(), next.close()]);
});

test('a pid file with a reused pid does not prevent the start', async (t) => {
  const home = await provisioned(t);
  // Init never ends and belongs to another user: PostgreSQL alone would refuse to start.
  await writeFile(pidFile(home), `1\n${join(home.database, 'cluster')}\n0\n5432\n/nowhere\n`);
  const held = await open(home);
  assert.notEqual(await serverPid(home), 1);
  await held.close();
});

test(
  'if the creating process is killed, its server is stopped and another cluster is created',
  longOnly,
  async (t) => {
    const home = await newHome(t);
    const maker = other(t, home, 'provisionDatabase');
    const draft = join(home.database, 'cluster.new');
    const begun = async () =>
      /ready/.test(await readFile(join(draft, 'postmaster.pid'), 'utf8').catch(() => ''));
    await eventually('its server runs', begun);
    maker.kill('SIGKILL');
    await once(maker, 'exit');
    const left = Number((await readFile(join(draft, 'postmaster.pid'), 'utf8')).split('\n')[0]);
    const held = await provision(home);
    assert.equal(processStart(left), undefined);
    assert.notEqual(await serverPid(home), left);
    await query(held.url, 'SELECT 1');
    await held.close();
  },
);

test('if the path is too long for a socket, a short private directory is used', async (t) => {
  const home = await copiedHome(t, model, 'long-'.repeat(30));
  const held = await provision(home);
  const folder = new URL(held.url.replace('@/', '@host/')).searchParams.get('host') ?? '';
  assert.match(folder, /^\/tmp\/imgstore-/);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  await query(held.url, 'SELECT 1');
  await held.close();
  await assert.rejects(stat(folder), { code: 'ENOENT' });
});

test(
  'a directory that the server cannot enter is named in the error',
  { skip: !isRoot },
  async (t) => {
    const home = await newHome(t, 'home', 0o700);
    await assert.rejects(provision(home), {
      exitCode: 78,
      message: new RegExp(`cannot enter ${tmpdir()}/imgstore-cluster-[\\w-]+\\.$`),
      remedy: new RegExp(`^chmod o\\+x ${tmpdir()}/`),
    });
  },
);

test('a server that cannot start is reported with the end of its log', async (t) => {
  const home = await provisioned(t);
  await writeFile(join(home.database, 'cluster/postgresql.auto.conf'), 'no_such_setting = 1\n');
  await assert.rejects(open(home), { exitCode: 69, message: /no_such_setting/ });
});

test("the server's log is truncated when it is large, and the server continues to write to it", async (t) => {
  const home = await provisioned(t);
  const database = await open(home);
  const log = join(home.database, 'postgres.log');
  assert.equal(await database.rotateLog(), false);
  await writeFile(log, `${'x'.repeat(99)}\n`.repeat(110_000), { flag: 'a' });
  assert.equal(await database.rotateLog(), true);
  assert.ok((await stat(`${log}.1`)).size > 11_000_000);
  await assert.rejects(query(database.url, 'SELECT of nothing'));
  const text = await readFile(log, 'utf8');
  assert.match(text, /^[^\0]*ERROR: [^\0]*SELECT of nothing/);
  await database.close();
});

test('data that the server does not own is refused, with the command that fixes it', async (t) => {
  if (!isRoot) return t.skip('only root can give files away');
  const home = await provisioned(t);
  const data = join(home.database, 'cluster');
  const { uid, gid } = await stat(data);
  await chown(data, 0, 0);
  const error = (await open(home).catch((e: unknown) => e)) as OperatorError;
  assert.equal(error.exitCode, 78);
  const mend = `chown -R ${uid}:${gid} ${home.database}`;
  assert.ok(error.remedy?.includes(mend), error.remedy);
  assert.equal((await run('/bin/sh', ['-c', mend])).code, 0);
  await (await open(home)).close();
});
