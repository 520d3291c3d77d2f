import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Home } from '../../src/base/config/home.js';
import { loadSettings } from '../../src/base/config/load.js';
import { rows } from '../../src/database/sql.js';
import { privateDatabase } from '../../src/ops/upgrade/new-database.js';
import { replaceDatabase } from '../../src/ops/upgrade/replace.js';
import { clusterFiles } from '../../src/database/postgres/cluster-files.js';
import { engineFolder } from '../../src/database/postgres/engine.js';
import { requireEngine } from '../../src/database/postgres/ensure-engine.js';
import { openNextCluster, type NextCluster } from '../../src/database/postgres/next-cluster.js';
import { openDatabase, provisionDatabase } from '../../src/database/postgres/provision.js';
import { serviceDataSource } from '../../src/ops/service-database.js';
import { resultOf } from '../../testkit/backups.js';
import { fails, newPrivateHome, postmasterPid } from '../../testkit/command.js';
import { copiedHome, homeWithCluster } from '../../testkit/copied-home.js';
import { hosted } from '../../testkit/hosted-command.js';
import { initializeHome } from '../../testkit/initialize-home.js';
import { longForm, longOnly } from '../../testkit/long-form.js';
import { lastFirst } from '../../testkit/scope.js';
import { initializedHome } from '../../testkit/initialized-home.js';

// Machines usually have one major version, so here the new cluster has the same version. "npm run
// upgrade:test" upgrades from 15 to 17 in a throwaway Debian and kills every step.

const scope = lastFirst({ after });
const model = await homeWithCluster(scope);
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

/** Upgrades as the command does, with the available engine. @param at is called with each step. */
function replace(home: Home, at: (message: string) => void = report, signal = neverAborted) {
  const parts = { home, config, report: at, signal };
  return replaceDatabase({
    ...parts,
    open: () => open(home),
    prepare: () => privateDatabase(parts, engine),
  });
}

const neverAborted = new AbortController().signal;

/** Asserts that the platform exists, and that the home has this many former clusters and no unfinished one. */
async function assertWhole(home: Home, former: number): Promise<void> {
  const { db, close } = await open(home);
  assert.deepEqual(await rows(db, 'SELECT name FROM platforms'), [{ name: 'kept' }]);
  await close();
  const names = await readdir(home.database);
  assert.equal(names.filter((name) => name.startsWith('cluster.old-')).length, former);
  assert.ok(!names.includes('next'), names.join(', '));
}

describe('a private cluster', () => {
  test('is replaced with its settings, even after a kill between the two renames; a command removes the old one', async (t) => {
    const home = await copiedHome(lastFirst(t), model);
    const settings = join(clusterFiles(home).data, 'postgresql.conf');
    await appendFile(settings, 'shared_buffers = 33MB\n');
    const unfinished = await killedBetweenRenames(home);
    const steps: string[] = [];
    const replaced = await replace(home, (message) => void steps.push(message.split(' ')[0] ?? ''));
    const { kept, rows: compared, tables } = replaced;
    assert.deepEqual(steps, [
      'Creating',
      'Dumping',
      'Restoring',
      'Comparing',
      'Checking',
      'Switching',
    ]);
    assert.match(kept ?? '', /cluster\.old-\d+T\d+Z-postgresql-\d+$/);
    assert.ok(compared > 5 && tables > 20);
    await assertWhole(home, 1);
    await unfinished?.lease.close().catch(() => undefined); // its home has been removed
    assert.match(await readFile(settings, 'utf8'), /^shared_buffers = 33MB$/m);
    const remove = ['database', 'upgrade', '--remove-old', '--home', home.dir, '--json'];
    await fails(hosted(remove), 2, { setting: '--yes', about: 'cluster.old-' });
    await resultOf(hosted([...remove, '--yes']));
    await assertWhole(home, 0);
    await fails(hosted([...remove, '--yes']), 2, { code: 'missing', setting: '--remove-old' });
  });

  test(
    'is unchanged if the upgrade is interrupted or its settings are rejected',
    longOnly,
    async (t) => {
      const home = await copiedHome(lastFirst(t), model);
      const settings = join(clusterFiles(home).data, 'postgresql.conf');
      const own = await readFile(settings, 'utf8');
      const held = await open(home);
      // A setting unknown to the new version, read at the next start; the running server is not affected.
      await appendFile(settings, 'no_such_setting = 1\n');
      // A complete copy that is not in use yet, and an incomplete one.
      for (const step of ['Checking', 'Restoring']) {
        const output = await interrupted(home, step);
        assert.match(output, /rejects the present settings.*no_such_setting/s);
      }
      await writeFile(settings, own);
      await held.close();
      await assertWhole(home, 0);
    },
  );
});

/** Interrupts a replacement as soon as it reports a step. @returns its output. */
async function interrupted(home: Home, step: string): Promise<string> {
  const stopping = new AbortController();
  const output: string[] = [];
  const at = (message: string): void => {
    output.push(message);
    if (message.startsWith(step)) stopping.abort(new Error('interrupted'));
  };
  await assert.rejects(replace(home, at, stopping.signal), /interrupted|abort/i, step);
  return output.join('\n');
}

/**
 * Leaves a home in the state of a kill between the two renames of a switch, and checks that its cluster
 * is restored. @returns in the long form, the unused successor, whose server still runs.
 */
async function killedBetweenRenames(home: Home): Promise<NextCluster | undefined> {
  const { data } = clusterFiles(home);
  const successor = longForm ? await openNextCluster(home, engine) : undefined;
  const next = join(home.database, 'next/database/cluster');
  await mkdir(next, { recursive: true });
  if (successor) assert.ok(await postmasterPid({ database: dirname(next) }));
  await rename(data, join(home.database, 'cluster.old-20260101T000000Z-postgresql-15'));
  const upgrade = hosted(['database', 'upgrade', '--home', home.dir, '--json']);
  assert.deepEqual(await resultOf(upgrade), { upgraded: false, from: engine.major });
  await (await provisionDatabase({ home, report })).close();
  return successor;
}

describe('imgstore database upgrade', () => {
  const upgrading = ({ dir }: Home) => hosted(['database', 'upgrade', '--home', dir, '--json']);

  test('has nothing to do if no newer version is installed', async () => {
    const { stdout } = await hosted(['database', 'upgrade', '--home', model.dir]);
    assert.match(stdout, /no newer version with PostGIS is installed here/);
  });

  test('refuses an external database and a missing one', async (t) => {
    const { home } = await initializedHome(lastFirst(t));
    await fails(upgrading(home), 78, { setting: 'database.url', remedy: 'pg_upgrade' });
    const empty = await newPrivateHome(lastFirst(t));
    await writeFile(join(empty.dir, 'config.yaml'), '').catch(() => undefined);
    await fails(upgrading(empty), 78, { remedy: 'init --home' });
  });

  test('says what to install if the programs of its version are missing', async (t) => {
    const home = await copiedHome(lastFirst(t), model);
    await writeFile(join(clusterFiles(home).data, 'PG_VERSION'), '14\n');
    const { remedy } = await fails(upgrading(home), 69, { remedy: 'postgresql-14-postgis-3' });
    assert.ok(remedy?.includes('database upgrade'), remedy);
  });
});
