import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import pg from 'pg';
import type { Home } from '../../src/base/config/home.js';
import { sentinelKey } from '../../src/store/sentinel.js';
import { fails, imgstore, newHome, type Failure } from '../../testkit/command.js';
import { emptyDatabase } from '../../testkit/database.js';
import { hosted } from '../../testkit/hosted-command.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { serve, type Appliance } from '../../testkit/appliance.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import { longOnly } from '../../testkit/long-form.js';

/** Runs `serve`, which must exit on its own; without a stack trace, in both output formats. */
async function refused(home: Home, ...args: string[]): Promise<Failure['error']> {
  const ran = await hosted(['serve', '--home', home.dir, '--port', '0', '--json', ...args]);
  const { error } = ran.json<Failure>();
  assert.equal(ran.code, error.exit_code);
  assert.doesNotMatch(ran.stderr, /^\s+at /m);
  return error;
}

/** Asserts that a second one on the same home reports the pid and URL of the first. */
async function refusedBeside(first: Appliance, home: Home): Promise<void> {
  const second = await refused(home);
  assert.deepEqual([second.exit_code, second.code], [1, 'in_use']);
  assert.ok(second.message.includes(`process ${first.pid} at ${first.url}`));
  assert.ok(second.remedy?.includes(`kill ${first.pid}`), second.remedy);
}

describe('imgstore serve with errors', { concurrency: 2 }, () => {
  test('a port in use: 1, setting port', async (t) => {
    const { home } = await initializedHome(t);
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    t.after(() => other.close());
    const { port } = other.address() as AddressInfo;
    const error = await refused(home, '--port', String(port));
    assert.equal(error.exit_code, 1);
    assert.equal(error.setting, 'port');
    assert.ok(error.message.includes(String(port)));
  });

  test('a program that another version replaces ends cleanly, for whoever restarts it', async (t) => {
    const { home } = await initializedHome(t);
    const dir = await temporaryDirectory('program');
    t.after(() => rm(dir, { recursive: true }));
    for (const part of ['bin', 'package.json', 'dist/bundle', 'migrations', 'assets']) {
      await cp(part, join(dir, part), { recursive: true });
    }
    await symlink(join(process.cwd(), 'node_modules'), join(dir, 'node_modules'));
    const service = await serve(t, home, [], 'serve', { installed: join(dir, 'bin/imgstore') });
    const ended = once(service.child, 'exit');
    const program = join(dir, 'dist/bundle/imgstore.js');
    await rm(join(dir, 'dist/bundle/chunks'), { recursive: true });
    await writeFile(program, `${await readFile(program, 'utf8')}// another version\n`);
    assert.deepEqual(await ended, [1, null]);
    assert.match(service.log, /another version of imgstore is in place of this one[^]*stopped/);
    assert.doesNotMatch(service.log, /MODULE_NOT_FOUND/);
  });

  test('a directory that is not a home: 78, with the command that creates one', async (t) => {
    const home = await newHome(t);
    const error = await refused(home);
    assert.equal(error.exit_code, 78);
    assert.equal(error.remedy, `imgstore init --home ${home.dir}`);
  });

  test('a home that is not writable for this user: 78', async (t) => {
    const { home, url } = await initializedHome(t);
    // Root can write everything and therefore runs it as another user; others remove their own permission.
    const root = process.getuid?.() === 0;
    if (root) await rm(home.configFile);
    else await chmod(home.run, 0o555);
    const ran = await imgstore(
      ['serve', '--home', home.dir, '--port', '0', '--database-url', url, '--json'],
      root ? { as: 65534 } : {},
    );
    if (!root) await chmod(home.run, 0o755);
    const { error } = ran.json<Failure>();
    assert.equal(error.exit_code, 78);
    assert.equal(error.setting, 'home');
    assert.ok(error.message.includes('EACCES'), error.message);
    assert.equal(ran.code, 78);
  });

  test('a database that cannot be reached: 69, without its password in the output', async (t) => {
    const { home } = await initializedHome(t);
    const url = 'postgresql://me:sEcReT@127.0.0.1:1/none';
    const args = ['serve', '--home', home.dir, '--port', '0', '--database-url', url];
    for (const form of [[], ['--json']]) {
      const ran = await hosted([...args, ...form]);
      assert.equal(ran.code, 69);
      assert.match(ran.stdout + ran.stderr, /cannot be reached: .*ECONNREFUSED/);
      assert.match(ran.stdout + ran.stderr, /database\.url/);
      assert.ok(!(ran.stdout + ran.stderr).includes('sEcReT'));
    }
  });

  test('a database without PostGIS: 78', async (t) => {
    const { home } = await initializedHome(t);
    const { url } = await emptyDatabase(t);
    const error = await refused(home, '--database-url', url);
    assert.equal(error.exit_code, 78);
    assert.ok(error.remedy?.includes('CREATE EXTENSION postgis'), error.remedy);
  });

  test('a database newer than the program: 78', async (t) => {
    const { home, url } = await initializedHome(t);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`INSERT INTO migrations (timestamp, name) VALUES (9999, 'Later9999')`);
    await client.end();
    for (const command of ['serve', 'migrate']) {
      const ran = hosted([command, '--home', home.dir, '--json']);
      await fails(ran, 78, { code: 'newer', setting: 'database.url', about: 'Later9999' });
    }
  });

  test('a database with an incomplete schema: 78, until it is repaired; a second service on the same home: 1', async (t) => {
    const { home, url } = await initializedHome(t);
    const drop = async (statements: string): Promise<void> => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(statements);
      await client.end();
    };
    await drop('DROP INDEX images_place; DROP TRIGGER account_for_updated ON images');
    const error = await refused(home);
    assert.equal(error.exit_code, 78);
    assert.match(
      error.message,
      /index images_place \(missing\), trigger account_for_updated \(missing\)/,
    );
    assert.equal(error.setting, 'database.url');
    assert.equal(error.remedy, `imgstore verify accounts --repair --home ${home.dir}`);
    const verified = await hosted(['verify', 'accounts', '--home', home.dir]);
    assert.equal(verified.code, 3);
    assert.match(verified.stdout, /^schema .*index images_place: missing$/m);
    const mended = await hosted(['verify', 'accounts', '--repair', '--home', home.dir]);
    assert.equal(mended.code, 0, mended.stdout);
    const said = 'Repaired: index images_place, trigger account_for_updated.\n';
    assert.ok(mended.stdout.startsWith(said), mended.stdout);
    await drop('DROP INDEX images_place');
    const formerly = await hosted(['migrate', '--home', home.dir]);
    assert.equal(formerly.stdout, 'Repaired: index images_place.\n');
    assert.match(formerly.stderr, /now repaired by "imgstore verify accounts --repair"/);
    const first = await serve(t, home);
    await refusedBeside(first, home);
    assert.equal(await first.end(), 0);
  });

  test('a master key that does not match the database: 78', async (t) => {
    const { home } = await initializedHome(t);
    const key = join(home.secrets, 'master.key');
    await writeFile(key, randomBytes(32).toString('base64url'));
    const wrong = await refused(home);
    assert.deepEqual([wrong.exit_code, wrong.code], [78, 'wrong_key']);
    assert.ok(wrong.remedy?.includes('secrets/master.key'), wrong.remedy);
    await writeFile(key, 'torn');
    const damaged = await refused(home);
    assert.deepEqual([damaged.exit_code, damaged.code], [78, 'damaged']);
  });

  test("a store without its sentinel, and another installation's store: 78, with the reason", async (t) => {
    const { home } = await initializedHome(t);
    const mark = join(home.store, sentinelKey);
    await rm(mark);
    const unmarked = await refused(home);
    assert.deepEqual([unmarked.exit_code, unmarked.code], [78, 'missing']);
    assert.ok(unmarked.message.includes('instance.json'), unmarked.message);
    await writeFile(mark, '{"instance_id":"01a00000-0000-7000-8000-000000000000"}');
    const foreign = await refused(home);
    assert.deepEqual([foreign.exit_code, foreign.code], [78, 'foreign']);
    assert.ok(foreign.message.includes('01a00000-'), foreign.message);
    await rm(home.store, { recursive: true });
    assert.equal((await refused(home)).exit_code, 78);
  });
});

test('several homes can be served on one machine', longOnly, async (t) => {
  const homes = [await initializedHome(t), await initializedHome(t)];
  const services = await Promise.all(homes.map(({ home }) => serve(t, home)));
  const ids = await Promise.all(
    services.map(async ({ client, pid }, i) => {
      assert.equal((await client.raw('GET', '/readyz')).status, 200);
      const status = await hosted(['status', '--home', homes[i]?.home.dir ?? '', '--json']);
      assert.equal(status.json<{ pid: number }>().pid, pid);
      return pid;
    }),
  );
  assert.equal(new Set(ids).size, 2);
  const [one, other] = services;
  assert.deepEqual(await Promise.all([one?.end('SIGTERM'), other?.end('SIGHUP')]), [0, 0]);
});
