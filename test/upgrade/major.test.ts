import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Home } from '../../src/config/home.js';
import { loadSettings } from '../../src/config/load.js';
import { rows } from '../../src/database/sql.js';
import { privateDatabase } from '../../src/operations/upgrade/new-database.js';
import { replaceDatabase } from '../../src/operations/upgrade/replace.js';
import { clusterFiles } from '../../src/postgres/cluster-files.js';
import { engineFolder } from '../../src/postgres/engine.js';
import { requireEngine } from '../../src/postgres/ensure-engine.js';
import { openNextCluster } from '../../src/postgres/next-cluster.js';
import { serverProcesses } from '../../src/postgres/postmaster.js';
import { serverIdentity } from '../../src/postgres/server-user.js';
import { openDatabase, provisionDatabase } from '../../src/postgres/provision.js';
import { serviceDataSource } from '../../src/service-database.js';
import { resultOf } from '../../testkit/backups.js';
import { newPrivateHome } from '../../testkit/command.js';
import type { Failure } from '../../testkit/command.js';
import { copiedHome } from '../../testkit/copied-home.js';
import { hosted } from '../../testkit/hosted-command.js';
import { initializeHome } from '../../testkit/initialize-home.js';
import { lastFirst } from '../../testkit/scope.js';
import { initializedHome } from '../../testkit/initialized-home.js';

// Machines have one major version, as a rule: "npm run upgrade:test" upgrades from 15 to 17 in a
// throwaway Debian. Here, the new cluster is of the same version.

const scope = lastFirst({ after });
const model = await newPrivateHome(scope);
const { values: config } = await loadSettings({ flags: {}, env: {}, home: model });
await initializeHome(model, config);
await resultOf(hosted(['platform', 'create', '--name', 'kept', '--home', model.dir, '--json']));
const engine = await requireEngine(engineFolder(model));
const report = (): void => undefined;

const open = async (home: Home) => {
  const database = await openDatabase({ home, report });
  const db = await serviceDataSource(database.url, {
    ...config,
    'database.pool_size': 1,
  }).initialize();
  const close = async (): Promise<void> => {
    if (db.isInitialized) await db.destroy();
    await database.close();
  };
  return { db, url: database.url, close };
};

/** As the command does, with the engine that there is. @param at is told each step. */
function replace(home: Home, at: (message: string) => void = report, signal = neverAborted) {
  const parts = { home, report: at, signal };
  return replaceDatabase({
    ...parts,
    open: () => open(home),
    prepare: () => privateDatabase(parts, engine),
    dataSource: (url) => serviceDataSource(url, config),
  });
}

const neverAborted = new AbortController().signal;

/** The one platform is there, and the home has this many former clusters and no unfinished one. */
async function assertWhole(home: Home, former: number): Promise<void> {
  const { db, close } = await open(home);
  assert.deepEqual(await rows(db, 'SELECT name FROM platforms'), [{ name: 'kept' }]);
  await close();
  const names = await readdir(home.database);
  assert.equal(names.filter((name) => name.startsWith('cluster.old-')).length, former);
  assert.ok(!names.includes('next'), names.join(', '));
}

describe('a private cluster', () => {
  test('is replaced by a new one with its settings; the former one goes when told', async (t) => {
    const home = await copiedHome(lastFirst(t), model);
    const settings = join(clusterFiles(home).data, 'postgresql.conf');
    await appendFile(settings, 'shared_buffers = 33MB\n');
    const { kept, rows: compared, tables } = await replace(home);
    assert.match(kept ?? '', /cluster\.old-\d+T\d+Z-postgresql-\d+$/);
    assert.ok(compared > 5 && tables > 20);
    await assertWhole(home, 1);
    assert.match(await readFile(settings, 'utf8'), /^shared_buffers = 33MB$/m);
    const remove = ['database', 'upgrade', '--remove-old', '--home', home.dir, '--json'];
    const unsure = await resultOf<Failure>(hosted(remove), 2);
    assert.match(unsure.error.message, /^Delete .*cluster\.old-/);
    await resultOf(hosted([...remove, '--yes']));
    await assertWhole(home, 0);
    const none = await resultOf<Failure>(hosted([...remove, '--yes']), 2);
    assert.match(none.error.message, /has no former database/);
  });

  test('gets new settings where the new version does not understand the old ones', async (t) => {
    const home = await copiedHome(lastFirst(t), model);
    const { db, close } = await open(home);
    const data = clusterFiles(home).data;
    // Read at the next start; this server goes on.
    await appendFile(join(data, 'postgresql.conf'), 'no_such_setting = 1\n');
    const told: string[] = [];
    const parts = {
      home,
      report: (message: string) => void told.push(message),
      signal: neverAborted,
    };
    const next = await privateDatabase(parts, engine);
    assert.match(told.join('\n'), /rejects the settings.*no_such_setting/s);
    assert.equal((await rows(db, 'SELECT FROM platforms')).length, 1);
    await next.close();
    await close();
  });

  test('stays as it was when the upgrade is interrupted', async (t) => {
    const home = await copiedHome(lastFirst(t), model);
    const steps: string[] = [];
    await replace(home, (message) => void steps.push(message.split(' ')[0] ?? ''));
    assert.deepEqual(steps, [
      'Creating',
      'Dumping',
      'Restoring',
      'Comparing',
      'Checking',
      'Putting',
    ]);
    // Half a copy, and a whole one that is not in use; "npm run upgrade:test" kills every step.
    for (const step of ['Restoring', 'Checking']) {
      const stopping = new AbortController();
      const at = (message: string): void => {
        if (message.startsWith(step)) stopping.abort(new Error('interrupted'));
      };
      await assert.rejects(replace(home, at, stopping.signal), /interrupted|abort/i, step);
      await assertWhole(home, 1);
    }
  });

  test('comes back after a kill between the two renames, and its unfinished successor goes', async (t) => {
    const home = await copiedHome(lastFirst(t), model);
    const { data } = clusterFiles(home);
    const { lease } = await openNextCluster(home, engine);
    const next = join(home.database, 'next/database/cluster');
    const identity = await serverIdentity(next);
    assert.ok((await serverProcesses(next, identity)).length > 0);
    await rename(data, join(home.database, 'cluster.old-20260101T000000Z-postgresql-15'));
    const { error } = await resultOf<Failure>(
      hosted(['database', 'upgrade', '--home', home.dir, '--json']),
      0,
    ).then((result) => ({ error: result }));
    assert.ok(error);
    await (await provisionDatabase({ home, report })).close();
    await replace(home);
    await assertWhole(home, 1);
    await lease.close().catch(() => undefined); // its home is gone
  });
});

describe('imgstore database upgrade', () => {
  const said = async (home: Home, code: number, ...args: string[]): Promise<string> => {
    const words = ['database', 'upgrade', '--home', home.dir, '--json', ...args];
    const { error } = await resultOf<Failure>(hosted(words), code);
    return `${error.setting ?? ''}: ${error.message} ${error.remedy ?? ''}`;
  };

  test('has nothing to do where nothing newer is installed', async () => {
    const words = ['database', 'upgrade', '--home', model.dir];
    assert.deepEqual(await resultOf(hosted([...words, '--json'])), {
      upgraded: false,
      from: engine.major,
    });
    assert.match((await hosted(words)).stdout, /no newer version with PostGIS is installed here/);
  });

  test('leaves a database elsewhere, and one that is not there, alone', async (t) => {
    const { home } = await initializedHome(lastFirst(t));
    assert.match(await said(home, 78), /database.url: .*not a private one.*own tools/);
    const empty = await newPrivateHome(lastFirst(t));
    await writeFile(join(empty.dir, 'config.yaml'), '').catch(() => undefined);
    assert.match(await said(empty, 78), /init --home/);
  });

  test('and serve say what to install where the programs of its version are gone', async (t) => {
    const home = await copiedHome(lastFirst(t), model);
    await writeFile(join(clusterFiles(home).data, 'PG_VERSION'), '14\n');
    const told = await said(home, 69);
    assert.match(
      told,
      /The database is of PostgreSQL 14\. .*postgresql-14-postgis-3.*database upgrade/,
    );
    const { error } = await resultOf<Failure>(
      hosted(['serve', '--port', '0', '--home', home.dir, '--json']),
      69,
    );
    assert.match(error.message, /The database is of PostgreSQL 14/);
  });
});
