import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chown, copyFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { migrations } from '../../../migrations/index.js';
import type { Home } from '../../base/config/home.js';
import {
  clusterFiles,
  clusterPassword,
  makePrivateDirectory,
  serverIdentity,
} from './cluster-files.js';
import { PrivateCluster } from './cluster.js';
import { asSuperuser } from './connect.js';
import { createDataSource } from '../data-source.js';
import type { Engine } from './engine.js';
import { requireEngine } from './ensure-engine.js';
import { initializeCluster } from './initdb.js';
import { migrate } from '../migrations.js';
import { openDatabase, provisionDatabase } from './provision.js';
import { run } from '../../base/os/run.js';
import { rows } from '../sql.js';
import { findSchemaDefects, extensionsMissingFromDumps } from '../../ops/schema.js';
import { newPrivateHome } from '../../../testkit/command.js';
import { homeWithCluster } from '../../../testkit/copied-home.js';
import { databaseOn } from '../../../testkit/database.js';
import { longOnly } from '../../../testkit/long-form.js';
import { makeOldCluster } from '../../../testkit/old-cluster.js';

const silent = () => undefined;
const open = (home: Home) => openDatabase({ home, report: silent });

/** Runs `work` on a database with a new connection, which is closed afterward. */
async function within<T>(
  url: string,
  work: (db: ReturnType<typeof createDataSource>) => Promise<T>,
): Promise<T> {
  const options = { url, poolSize: 1, statementTimeoutMs: 60_000, entities: [] };
  const db = await createDataSource({ ...options, migrations: [...migrations] }).initialize();
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/**
 * Migrations, an image with a location, a folder and a memo, and an operator's reference system.
 */
const fill = (url: string) =>
  within(url, async (db) => {
    await migrate(db, silent);
    await rows(
      db,
      `WITH p AS (INSERT INTO platforms (id, name) VALUES (gen_random_uuid(), '가') RETURNING id),
         u AS (INSERT INTO users (id, platform_id, platform_user_id, max_storage_bytes)
               SELECT gen_random_uuid(), id, 'u', 1000 FROM p RETURNING id, platform_id)
       INSERT INTO images (id, platform_id, user_id, created_at, upload_type, version_id, filename,
         format, extension, thumb_extension, hash, bytes, width, height, thumbhash,
         original_extension, original_bytes, location, address_road)
       SELECT id, platform_id, id, now(), 'gallery', id, '사진 2', 'jpeg', 'jpg', 'jpg', '\\xab', 1, 1,
              1, '\\xcd', 'jpg', 1, 'POINT(127 37)', '세종대로' FROM u`,
    );
    await rows(
      db,
      `INSERT INTO memos (id, user_id, image_id, message, is_client)
       SELECT gen_random_uuid(), user_id, id, '안녕', true FROM images`,
    );
  });

const operatorsSystem = `INSERT INTO spatial_ref_sys VALUES (990001, 'own', 1, '', '+proj=longlat')`;

const systems = (url: string) =>
  within(url, (db) => rows<{ n: number }>(db, 'SELECT count(*)::int AS n FROM spatial_ref_sys'));

/** The output of pg_dump, without the parts that change every time. */
async function dump(engine: Engine, url: string): Promise<string> {
  const { code, stdout, output } = await run(join(engine.bin, 'pg_dump'), [url], engine);
  assert.equal(code, 0, output);
  return stdout.replaceAll(/^\\(un)?restrict .*\n/gm, '');
}

/** Compares line by line, so that a failing assertion shows a line, not both dumps. */
function assertSame(found: string, wanted: string): void {
  const lines = wanted.split('\n');
  found.split('\n').forEach((line, n) => assert.equal(line, lines[n]));
  assert.equal(found.length, wanted.length);
}

const extensionsIn = (sql: string): number => sql.match(/^CREATE EXTENSION /gm)?.length ?? 0;

/** Asserts that nothing is missing, and that a dump would omit nothing. */
const assertWhole = (url: string) =>
  within(url, async (db) => {
    assert.deepEqual(await findSchemaDefects(db), []);
    assert.deepEqual(await extensionsMissingFromDumps(db), []);
    const [near] = await rows(
      db,
      `SELECT round(ST_Distance(location, 'POINT(128 37)'::geography)) AS metres FROM images`,
    );
    assert.deepEqual(near, { metres: 89011 });
  });

/** Dumps the database, restores it next to the original, and dumps that. */
async function assertRestored(engine: Engine, superuserUrl: string): Promise<void> {
  const sql = await dump(engine, superuserUrl);
  assert.equal(extensionsIn(sql), 4);
  await asSuperuser(databaseOn(superuserUrl, 'postgres'), ['CREATE DATABASE restored']);
  const restored = databaseOn(superuserUrl, 'restored');
  const { code, output } = await run(
    join(engine.bin, 'psql'),
    ['-qX', '-v', 'ON_ERROR_STOP=1', restored],
    { env: engine.env, input: sql },
  );
  assert.equal(code, 0, output);
  assertSame(await dump(engine, restored), sql);
  await assertWhole(restored);
  await asSuperuser(databaseOn(superuserUrl, 'postgres'), ['DROP DATABASE restored']);
}

/** Replaces the home's cluster with a new one of the same version, by pg_upgrade. */
async function upgrade(home: Home, engine: Engine): Promise<void> {
  const files = clusterFiles(home);
  const identity = await serverIdentity(files.data);
  const [fresh, work] = [`${files.data}.fresh`, `${files.data}.work`];
  for (const dir of [fresh, work]) await makePrivateDirectory(dir, identity);
  const password = await clusterPassword(files, false);
  await initializeCluster(fresh, engine, identity, password);
  await copyFile(join(files.data, 'postgresql.conf'), join(fresh, 'postgresql.conf'));
  const passwords = join(work, 'pgpass');
  await writeFile(passwords, `*:*:*:*:${password}\n`, { mode: 0o600 });
  if (identity) await chown(passwords, identity.uid, identity.gid);
  const { code, output } = await run(
    '/bin/sh',
    [
      '-c',
      'cd "$1" && shift && exec "$@"',
      'sh',
      work,
      join(engine.bin, 'pg_upgrade'),
      '-b',
      engine.bin,
      '-B',
      engine.bin,
      '-d',
      files.data,
      '-D',
      fresh,
      '-U',
      'postgres',
      '-s',
      work,
    ],
    { as: identity, env: { ...engine.env, PGPASSFILE: passwords } },
  );
  assert.equal(code, 0, output);
  await rm(files.data, { recursive: true });
  await rename(fresh, files.data);
}

describe('the private database', () => {
  // test/database/cluster.test.ts checks what a dump of a new one would omit.
  for (const made of ['now', 'by an earlier build']) {
    test(
      `created ${made}, it is dumped, restored and upgraded without loss`,
      longOnly,
      async (t) => {
        const home = await (made === 'now' ? homeWithCluster(t) : newPrivateHome(t));
        const engine = await requireEngine(join(home.database, 'engine'));
        if (made === 'now') await (await provisionDatabase({ home, report: silent })).close();
        else await makeOldCluster(home, engine);

        const unrepaired = await new PrivateCluster(home, async () => engine).open();
        const { superuserUrl } = unrepaired;
        await fill(unrepaired.url);
        await asSuperuser(superuserUrl, [operatorsSystem]);
        const lost = made === 'now' ? 0 : 4;
        assert.equal((await within(unrepaired.url, extensionsMissingFromDumps)).length, lost);
        assert.equal(extensionsIn(await dump(engine, superuserUrl)), 4 - lost);

        const first = await open(home);
        await unrepaired.close();
        const known = await systems(first.url);
        await assertWhole(first.url);
        await assertRestored(engine, superuserUrl);
        const before = await dump(engine, superuserUrl);
        assert.match(before, /990001/);
        await first.close();

        if (!existsSync(join(engine.bin, 'pg_upgrade'))) return;
        await upgrade(home, engine);
        const upgraded = await open(home);
        assertSame(await dump(engine, superuserUrl), before);
        assert.deepEqual(await systems(upgraded.url), known);
        await assertWhole(upgraded.url);
        await upgraded.close();
      },
    );
  }
});
