import assert from 'node:assert/strict';
import { lstat, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  fails,
  imgstore,
  newHome,
  newPrivateHome,
  postmasterPid,
  type Failure,
} from '../../testkit/command.js';
import { hosted } from '../../testkit/hosted-command.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { emptyDatabase, testDatabase } from '../../testkit/database.js';
import { sentinelKey } from '../../src/store/sentinel.js';

interface Initialized {
  readonly home: string;
  readonly instance_id: string;
  readonly database: string;
  readonly wrote_config: boolean;
  readonly migrations_applied: string[];
}

/** What an operator's shell may contain that is meant for other programs. */
const foreign = {
  PGHOST: '/nowhere',
  PGPORT: '1',
  PGUSER: 'somebody',
  PGDATABASE: 'other',
  PGPASSWORD: 'no',
  PGSSLMODE: 'verify-full',
  PGOPTIONS: '-csearch_path=pg_catalog',
  PGSERVICE: 'missing',
  PGCLIENTENCODING: 'LATIN1',
  PGDATESTYLE: 'German',
  PGTZ: 'Asia/Tokyo',
  PGDATA: '/nowhere',
  LC_ALL: 'tr_TR.UTF-8',
  LANG: 'xx_XX',
  NODE_OPTIONS: '--no-deprecation',
};

/** Starts programs with a umask that takes no right from anybody. */
function withoutUmask<T>(start: () => T): T {
  const before = process.umask(0);
  try {
    return start();
  } finally {
    process.umask(before);
  }
}

/** Paths below a folder that the group or everybody may write to. */
async function writableBelow(dir: string): Promise<string[]> {
  const names = await readdir(dir, { recursive: true });
  const writable = await Promise.all(
    names.map(async (name) => {
      const found = await lstat(join(dir, name));
      return !found.isSymbolicLink() && !found.isSocket() && (found.mode & 0o022) !== 0;
    }),
  );
  return names.filter((_, index) => writable[index]);
}

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe('imgstore init', { concurrency: 2 }, () => {
  test('creates a home with a private cluster, whatever the environment; run again, it changes nothing', async (t) => {
    const home = await newPrivateHome(t);
    const first = await withoutUmask(() =>
      imgstore(['init', '--home', home.dir, '--json'], { env: foreign }),
    );
    assert.equal(first.code, 0, first.stdout);
    assert.equal(first.stderr, '');
    assert.deepEqual(await writableBelow(home.dir), []);
    const made = first.json<Initialized>();
    assert.equal(made.home, home.dir);
    assert.equal(made.database, 'private');
    assert.equal(made.wrote_config, true);
    assert.ok(made.migrations_applied.length >= 1);
    assert.equal(await postmasterPid(home), undefined, 'the server is stopped again');
    assert.equal(await modeOf(home.secrets), 0o700);
    for (const name of ['master.key', 'database.password']) {
      assert.equal(await modeOf(join(home.secrets, name)), 0o600);
    }
    const key = await readFile(join(home.secrets, 'master.key'));
    await writeFile(home.configFile, 'port: 4711\n');

    const again = await hosted(['init', '--home', home.dir, '--json', '--host', '::1']);
    assert.equal(again.code, 0, again.stdout);
    assert.deepEqual(again.json<Initialized>(), {
      ...made,
      wrote_config: false,
      migrations_applied: [],
    });
    assert.equal(await readFile(home.configFile, 'utf8'), 'port: 4711\n');
    assert.deepEqual(await readFile(join(home.secrets, 'master.key')), key);
  });

  test('stores the values of flags in config.yaml, and uses a given database', async (t) => {
    const home = await newHome(t);
    const { url } = await testDatabase(t);
    const { code, stdout } = await hosted([
      'init',
      '--home',
      home.dir,
      '--database-url',
      url,
      '--port',
      '4712',
    ]);
    assert.equal(code, 0);
    assert.equal(stdout, `${home.dir} is ready. Next: imgstore serve --home ${home.dir}\n`);
    const config = await readFile(home.configFile, 'utf8');
    assert.match(config, /^port: 4712$/m);
    assert.match(config, /^# host: 127\.0\.0\.1$/m);
    assert.equal(await modeOf(home.configFile), 0o600, 'it holds the password of the database');
    await assert.rejects(stat(join(home.database, 'cluster')), { code: 'ENOENT' });
    const status = await hosted(['migrate', '--status', '--home', home.dir]);
    assert.equal(status.code, 0, 'the database URL came from config.yaml');
  });

  test('writes a configuration file elsewhere; exits with 78 if it cannot', async (t) => {
    const home = await newHome(t);
    const { url } = await testDatabase(t);
    const args = ['init', '--home', home.dir, '--database-url', url, '--json', '--config'];
    const refused = await hosted([...args, join(home.dir, 'nowhere/config.yaml')]);
    assert.equal(refused.code, 78);
    assert.equal(refused.json<Failure>().error.setting, 'config');
    const elsewhere = join(home.dir, '../elsewhere.yaml');
    assert.equal((await hosted([...args, elsewhere])).code, 0);
    assert.match(await readFile(elsewhere, 'utf8'), /^database\.url: postgres/m);
    await assert.rejects(stat(home.configFile), { code: 'ENOENT' });
  });

  test('--plan shows what it would do and changes nothing', async (t) => {
    const home = await newHome(t);
    const { code, json } = await hosted(['init', '--plan', '--home', home.dir, '--json']);
    assert.equal(code, 0);
    const { steps } = json<{ steps: string[] }>();
    assert.ok(steps.some((step) => step.includes('private PostgreSQL database')));
    await assert.rejects(readdir(home.dir), { code: 'ENOENT' });

    const external = 'postgresql://me:sEcReT@127.0.0.1:1/none';
    const plan = await hosted(['init', '--plan', '--home', home.dir, '--database-url', external]);
    assert.equal(plan.code, 0);
    assert.match(plan.stdout, /use the database postgresql:\/\/me:…@127\.0\.0\.1:1\/none/);
    assert.ok(!plan.stdout.includes('sEcReT'));
  });

  test('--plan on an initialized home says that there is nothing to do', async (t) => {
    const { home } = await initializedHome(t);
    const plan = ['init', '--plan', '--home', home.dir];
    assert.equal((await hosted(plan)).stdout, `Nothing to do: ${home.dir} is ready.\n`);
    assert.deepEqual((await hosted([...plan, '--json'])).json(), { steps: [] });
    await rm(join(home.store, sentinelKey));
    assert.match((await hosted(plan)).stdout, /^- mark .* as the object store/m);
  });

  test('rejects the store of another installation, with 78', async (t) => {
    const home = await newHome(t);
    const { url } = await testDatabase(t);
    const init = ['init', '--home', home.dir, '--database-url', url, '--json'];
    const { instance_id } = (await hosted(init)).json<Initialized>();
    const mark = join(home.store, sentinelKey);
    await writeFile(mark, JSON.stringify({ instance_id: instance_id.replace(/^./, 'f') }));
    const foreign = await hosted(init);
    await fails(foreign, 78, { code: 'foreign' });
  });

  test('reports a directory that is not writable, with 78', async () => {
    await fails(hosted(['init', '--home', '/proc/imgstore', '--json']), 78, {
      setting: 'home',
      about: '/proc/imgstore',
      remedy: '--home',
    });
  });

  test('reports a file in place of the home, with 78', async (t) => {
    const home = await newHome(t);
    await mkdir(join(home.dir, '..'), { recursive: true });
    await writeFile(home.dir, '');
    const { code, stderr } = await hosted(['init', '--home', home.dir]);
    assert.equal(code, 78);
    assert.doesNotMatch(stderr, /^\s+at /m, 'no stack');
  });

  test('reports a database without PostGIS with the statement that fixes it, with 78', async (t) => {
    const home = await newHome(t);
    const { url } = await emptyDatabase(t); // its owner may not create extensions
    const { code, json } = await hosted([
      'init',
      '--home',
      home.dir,
      '--database-url',
      url,
      '--json',
    ]);
    assert.equal(code, 78);
    const { error } = json<Failure>();
    assert.match(error.message, /extension postgis is missing/);
    assert.equal(error.setting, 'database.url');
    assert.match(error.remedy ?? '', /^CREATE EXTENSION postgis;/);
  });
});
