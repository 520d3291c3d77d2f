import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { seedUsers } from '../../bench/seeding.js';
import { rows } from '../../src/database/sql.js';
import { sumUpPlatformMaps } from '../../src/library/images/map/upkeep.js';
import { run } from '../../src/base/os/run.js';
import { verifyDatabase } from '../../src/ops/verify/database.js';
import { Findings } from '../../src/ops/verify/findings.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { migratedSource } from '../../testkit/migrated-source.js';
import { insertUser } from '../../testkit/insert-user.js';
import { longForm } from '../../testkit/long-form.js';

const db = await migratedSource({ after });
const users = [await insertUser(db), await insertUser(db), await insertUser(db)];
const idOf = (n: number): string => users[n]?.userId ?? '';

test('npm run seed says what is wrong with --user, with exit code 2', async (t) => {
  const { home } = await initializedHome(t);
  const seed = async (user: string) =>
    run(
      process.execPath,
      [
        join(process.cwd(), 'dist/bench/seed.js'),
        '--user',
        user,
        '--images',
        '1',
        '--home',
        home.dir,
      ],
      {
        env: { IMGSTORE_DATABASE_URL: undefined },
      },
    );
  const bad = await seed('bad');
  assert.equal(bad.code, 2);
  assert.match(bad.output, /^--user must be the id of a user, not "bad"\.\n\nUsage: npm run seed/);
  const nobody = await seed(uuidv7());
  assert.equal(nobody.code, 2, nobody.output);
  assert.match(nobody.output, /--user: there is no user [\da-f-]{36}\.\n\nUsage: npm run seed/);
});

/** The differences that `verify accounts` finds in the database. */
async function problems(): Promise<unknown[]> {
  const findings = new Findings();
  await verifyDatabase(db, findings);
  return findings.listed;
}

/** Columns that depend on when a row was made. */
const momentary: Readonly<Record<string, readonly string[]>> = {
  changes: ['at', 'feed_position'],
  images: ['updated_at'],
  usage_events: ['id', 'occurred_at'],
  users: ['change_first', 'change_xact', 'change_position', 'map_version'],
};

/** Rows of every table, except for numbers and times that depend on when they were made. */
async function everything(): Promise<Record<string, unknown>> {
  const tables = db.entityMetadatas.map(({ tableName }) => tableName).sort();
  const content: Record<string, unknown> = {};
  for (const table of tables) {
    const without = ` - '{${momentary[table]?.join(',') ?? ''}}'::text[]`;
    content[table] = await rows(
      db,
      `SELECT to_jsonb(t)${without} AS row FROM ${table} t ORDER BY to_jsonb(t)${without}`,
    );
  }
  return content;
}

/** Deletes the rows and inserts them again, so that triggers count them. */
async function insertAgain(): Promise<void> {
  const tables = ['images', 'image_versions', 'memos', 'customs'];
  for (const table of tables) await db.query(`CREATE TABLE saved_${table} AS TABLE ${table}`);
  await db.query('DELETE FROM images');
  await db.query('DELETE FROM usage_events');
  await forgetChanges(1);
  for (const table of tables) {
    const [found] = await rows<{ columns: string }>(
      db,
      `SELECT string_agg(quote_ident(column_name), ', ') AS columns
       FROM information_schema.columns
       WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER'`,
      [table],
    );
    const columns = found?.columns ?? '';
    await db.query(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM saved_${table}`);
    await db.query(`DROP TABLE saved_${table}`);
  }
  await db.query('DELETE FROM object_reclaim');
  // What is seeded is in no log, as are images of before there were logs.
  await db.query('DELETE FROM custody_entries');
  // As originally, records created with their image have no entries.
  await forgetChanges(4, 5);
  await sumUpPlatformMaps(db, new AbortController().signal);
}

/** Deletes the last entries of each user, which these are, as if they were never made. */
async function forgetChanges(...types: readonly number[]): Promise<void> {
  await db.query('DELETE FROM changes WHERE type = ANY ($1::smallint[])', [types]);
  await db.query(
    'UPDATE users SET change_seq = (SELECT max(seq) FROM changes WHERE user_id = users.id)',
  );
}

/** In the long form, more than one range of dates may have. */
const most = longForm ? 2_100 : 210;

test('seeding leaves the rows that triggers would have written', async () => {
  await seedUsers(db, [
    { userId: idOf(0), images: most },
    { userId: idOf(1), images: 40 },
  ]);
  assert.deepEqual(await problems(), []);
  const seeded = await everything();
  await insertAgain();
  const kept = await everything();
  for (const [table, content] of Object.entries(kept)) {
    assert.deepEqual(seeded[table], content, `the rows of ${table}`);
  }
});

test("seeding adds to a user's images, and keeps the indexes of a larger table", async () => {
  await seedUsers(db, [
    { userId: idOf(1), images: 60 },
    { userId: idOf(2), images: 70 },
  ]);
  assert.deepEqual(await problems(), []);
  const counted = await rows(
    db,
    'SELECT active_images + trashed_images AS images FROM users ORDER BY 1',
  );
  assert.deepEqual(counted, [{ images: 70 }, { images: 100 }, { images: most }]);
});

test('an unknown user is refused, and no other user is seeded', async () => {
  const seeds = [
    { userId: idOf(2), images: 10 },
    { userId: crypto.randomUUID(), images: 10 },
  ];
  await assert.rejects(seedUsers(db, seeds), /No user/);
  assert.deepEqual(await problems(), []);
});
