import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { resultOf, verifyBackup, type MadeBackup } from '../../testkit/backups.js';
import { newHome, newPrivateHome, type Failure } from '../../testkit/command.js';
import { blankDatabase, hostedDatabase } from '../../testkit/database.js';
import { hosted } from '../../testkit/hosted-command.js';
import { lastFirst } from '../../testkit/scope.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

/** Of imgstore 0.3.0; see test/backup/older.test.ts. */
const older = 'test/fixtures/backup-0.3';
const env = { IMGSTORE_BACKUP_PASSPHRASE: 'correct horse battery staple' };

interface Restored {
  readonly ok: boolean;
  readonly objects: number;
}

const scope = lastFirst({ after });
const root = await temporaryDirectory('hosted');
scope.after(() => rm(root, { recursive: true, force: true }));
const home = await newHome(scope);
const { url } = await hostedDatabase(scope);
const on = ['--home', home.dir, '--json'];
const dir = join(root, 'backup');

/** Not imgstore's: no restore needs it, fails for it, or executes it. */
const foreign = `
  CREATE TABLE notes (a int);
  ALTER TABLE platforms ADD COLUMN "my note" text DEFAULT 'x';
  CREATE FUNCTION foreign_code() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE 'executed'; END $$;
  CREATE TRIGGER foreign_code AFTER UPDATE ON users EXECUTE FUNCTION foreign_code()`;

async function query(database: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('extensions in a schema of their own', () => {
  test('init says how to add that schema to the search path', async (t) => {
    const inner = lastFirst(t);
    const other = await newHome(inner);
    const { url: hidden } = await hostedDatabase(inner, false);
    const init = hosted(['init', '--home', other.dir, '--database-url', hidden, '--yes', '--json']);
    const { error } = await resultOf<Failure>(init, 78);
    assert.equal(error.setting, 'database.url');
    assert.match(error.message, /postgis is in the schema extensions, .* not in the search path/);
    assert.match(
      error.remedy ?? '',
      /^ALTER ROLE \w+ SET search_path = "\$user", public, extensions;$/,
    );
  });

  test('a backup from elsewhere is restored into that database', async () => {
    const words = ['restore', older, '--database-url', url, ...on];
    assert.equal((await resultOf<Restored>(hosted(words, { env }))).ok, true);
  });

  test('its backup is verified, and restored into an ordinary and a private database', async (t) => {
    const inner = lastFirst(t);
    await query(url, foreign);
    const made = await resultOf<MadeBackup>(hosted(['backup', dir, '--copy', ...on]));
    const { url: scratch } = await blankDatabase(inner);
    await resultOf(verifyBackup(dir, scratch));
    const key = ['--master-key-file', join(home.secrets, 'master.key'), '--json'];
    for (const database of [['--database-url', scratch], []]) {
      const target = await newPrivateHome(inner);
      const restoring = ['restore', dir, '--home', target.dir, ...database, ...key];
      const restored = await resultOf<Restored>(hosted(restoring));
      assert.deepEqual([restored.ok, restored.objects], [true, made.objects]);
    }
    const left = await query(scratch, "SELECT proname FROM pg_proc WHERE proname LIKE 'foreign%'");
    assert.deepEqual(left, [], 'only functions of imgstore exist');
  });

  test('a backup that could not be restored is not made', async () => {
    await query(url, 'ALTER TABLE users DROP CONSTRAINT users_platform_id_platform_user_id_key');
    const { error } = await resultOf<Failure>(hosted(['backup', dir, ...on]), 78);
    assert.match(error.message, /users_platform_id_platform_user_id_key \(missing\)/);
    await resultOf(hosted(['migrate', ...on]));
    assert.equal((await resultOf<{ ok: boolean }>(hosted(['verify', 'accounts', ...on]))).ok, true);
  });

  test('a home that never had a private database moves to one', async () => {
    const moved = await resultOf<{ kept: null; rows: number }>(
      hosted(['database', 'move', '--to', 'private', ...on]),
    );
    assert.equal(moved.kept, null);
    assert.ok(existsSync(join(home.database, 'cluster')));
    assert.doesNotMatch(await readFile(home.configFile, 'utf8'), /^database\.url: postgresql/m);
    assert.equal((await resultOf<{ ok: boolean }>(hosted(['verify', 'accounts', ...on]))).ok, true);
  });
});
