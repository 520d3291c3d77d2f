import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import type { Home } from '../../src/base/config/home.js';
import { run } from '../../src/base/os/run.js';
import { minuteMs } from '../../src/base/units.js';
import { serverIdentity } from '../../src/database/postgres/cluster-files.js';
import { requireEngine } from '../../src/database/postgres/ensure-engine.js';
import { openDatabase, provisionDatabase } from '../../src/database/postgres/provision.js';
import { createScratch } from '../../src/database/postgres/scratch.js';
import { clearLeftovers, makeHomeDirectories } from '../../src/ops/home.js';
import { fails, imgstore, postmasterPid, program, newPrivateHome } from '../../testkit/command.js';
import { copiedHome, homeWithCluster } from '../../testkit/copied-home.js';
import { eventually } from '../../testkit/eventually.js';
import { hosted } from '../../testkit/hosted-command.js';
import { isRunning, killNow, withDescendants } from '../../testkit/processes.js';
import type { Scope } from '../../testkit/scope.js';
import { serve } from '../../testkit/appliance.js';

const silent = () => undefined;
const open = (home: Home, report: (message: string) => void = silent) =>
  openDatabase({ home, report });

const model = await homeWithCluster({ after });
const made = await hosted(['init', '--home', model.dir, '--json']);
assert.equal(made.code, 0, made.stdout);

const privateHome = (scope: Scope): Promise<Home> => copiedHome(scope, model);

async function ask(url: string, sql = 'SELECT 1'): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

const scratchFolders = async ({ dir }: Home): Promise<string[]> =>
  (await readdir(dir)).filter((name) => name.startsWith('scratch-'));

const own = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user'];

/** Runs a command where no other process is visible, as in another container. */
const elsewhere = (...args: readonly string[]) => {
  const words = [...own, '--pid', '--fork', '--mount-proc', '--kill-child', program, ...args];
  return imgstore([...words, '--json'], { installed: 'unshare' });
};

describe('the owner of a home', { concurrency: 2 }, () => {
  test('keeps its uploads and its database beside commands in another PID namespace', async (t) => {
    const home = await privateHome(t);
    const service = await serve(t, home);
    const server = await postmasterPid(home);
    const upload = join(home.incoming, 'upload');
    await writeFile(upload, 'half of it');
    const about = `served by process ${service.pid} at ${service.url}`;
    await fails(elsewhere('serve', '--home', home.dir, '--port', '0'), 1, {
      code: 'in_use',
      about,
    });
    const examined = await elsewhere('doctor', '--home', home.dir);
    const { checks } = examined.json<{ checks: { name: string; level: string }[] }>();
    assert.equal(checks.find(({ name }) => name === 'database')?.level, 'ok', examined.stdout);
    assert.equal(await readFile(upload, 'utf8'), 'half of it');
    assert.equal(await postmasterPid(home), server);
    process.kill(service.pid, 'SIGUSR1');
    assert.equal((await service.client.raw('GET', '/readyz')).status, 200);
    assert.equal(await service.end(), 0);
    assert.equal(await postmasterPid(home), undefined);
    assert.doesNotMatch(service.log, /debugger/i, 'a signal opens none');
  });

  test('takes its database along when it is killed, whole', async (t) => {
    const home = await privateHome(t);
    const service = await serve(t, home);
    await writeFile(join(home.incoming, 'upload'), 'half of it');
    const server = (await postmasterPid(home)) as number;
    const family = await withDescendants([server]);
    killNow(service.pid);
    for (const pid of family) await eventually('it ends', async () => !(await isRunning(pid)));
    const next = await serve(t, home);
    await assert.rejects(readFile(join(home.incoming, 'upload')), { code: 'ENOENT' });
    assert.equal(await next.end(), 0);
  });

  test('empties nothing if its database does not start', async (t) => {
    const home = await privateHome(t);
    const upload = join(home.incoming, 'upload');
    await writeFile(upload, 'half of it');
    const settings = join(home.database, 'cluster/postgresql.auto.conf');
    await writeFile(settings, 'no_such_setting = 1\n');
    await fails(hosted(['serve', '--home', home.dir, '--port', '0', '--json']), 69);
    assert.equal(await readFile(upload, 'utf8'), 'half of it');
  });

  test('is not who plants a folder in the place of scratch databases', async (t) => {
    const home = await privateHome(t);
    const held = await open(home);
    const planted = join('/var/tmp', 'imgstore-scratch-4194305-planted'.slice(0, -1));
    await mkdir(join(planted, 'home/database'), { recursive: true });
    t.after(() => rm(planted, { recursive: true }));
    await symlink(join(home.database, 'cluster'), join(planted, 'home/database/cluster'));
    const scratch = await createScratch({ home, major: 15 });
    await ask(scratch.url);
    await scratch.drop();
    await ask(held.url);
    await held.close();
  });
});

describe('a scratch database', () => {
  test('is on the disk of the home, and what a killed one left goes', async (t) => {
    const home = await privateHome(t);
    const left = join(home.dir, 'scratch-killed');
    const leave = () => mkdir(join(left, 'home/database'), { recursive: true });
    await leave();
    const scratch = await createScratch({ home, major: 15 });
    const [name = '', ...more] = await scratchFolders(home);
    assert.ok(existsSync(join(home.dir, name, 'home/database/cluster/PG_VERSION')));
    assert.deepEqual(more, []);
    assert.equal(existsSync(left), false);
    await leave();
    await (await createScratch({ home, major: 15 })).drop();
    assert.equal(existsSync(left), true, 'somebody has a scratch folder, which may be this one');
    await ask(scratch.url);
    await scratch.drop();
    await clearLeftovers(home);
    assert.deepEqual(await scratchFolders(home), []);
  });

  test('needs space on that disk', async (t) => {
    const home = await privateHome(t);
    await assert.rejects(createScratch({ home, major: 15, bytes: 1e18 }), { exitCode: 69 });
  });
});

describe('a private database', () => {
  test('that recovers is waited for, for as long as it takes', async (t) => {
    const home = await privateHome(t);
    const data = join(home.database, 'cluster');
    // It replays its WAL until it is promoted, and accepts no session before that.
    await writeFile(join(data, 'standby.signal'), '');
    await appendFile(join(data, 'postgresql.auto.conf'), 'hot_standby = off\n');
    const { now } = Date;
    let ahead = 0;
    t.mock.method(Date, 'now', () => now.call(Date) + ahead);
    const said: string[] = [];
    const opened = open(home, (message) => said.push(message));
    const log = () => readFile(join(home.database, 'postgres.log'), 'utf8').catch(() => '');
    await eventually('it recovers', async () => /entering standby mode/.test(await log()));
    for (const minutes of [6, 60]) {
      const before = said.length;
      ahead = minutes * minuteMs;
      await eventually('its progress is said', () => said.length > before);
    }
    assert.match(
      said[0] ?? '',
      /^Waiting for the private database: (entering standby mode|waiting for WAL .*)$/,
    );
    const engine = await requireEngine(join(home.database, 'engine'));
    const as = await serverIdentity(data);
    await eventually('it can be promoted', async () => {
      const words = ['promote', '-W', '-D', data];
      return (await run(join(engine.bin, 'pg_ctl'), words, { as, env: engine.env })).code === 0;
    });
    const database = await opened;
    await ask(database.url);
    await database.close();
  });

  test('gets another password if the making of the first was interrupted', async (t) => {
    const home = await newPrivateHome(t);
    await makeHomeDirectories(home);
    await writeFile(join(home.secrets, 'database.password'), '', { mode: 0o600 });
    const database = await provisionDatabase({ home, report: silent });
    await ask(database.url);
    await database.close();
  });
});
