import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createDataSource } from '../../src/database/data-source.js';
import { rows } from '../../src/database/sql.js';
import type { Replaced } from '../../src/ops/upgrade/replace.js';
import { openDatabase } from '../../src/database/postgres/provision.js';
import { resultOf } from '../../testkit/backups.js';
import { fails, postmasterPid, start, type Ran } from '../../testkit/command.js';
import { homeWithCluster } from '../../testkit/copied-home.js';
import { blankDatabase, testDatabase } from '../../testkit/database.js';
import { hosted } from '../../testkit/hosted-command.js';
import { longForm, longOnly } from '../../testkit/long-form.js';
import { lastFirst } from '../../testkit/scope.js';
import { serve } from '../../testkit/appliance.js';

const scope = lastFirst({ after });
const home = await homeWithCluster(scope);
const first = await serve(scope, home, [], 'up');
const { user } = first;
const place = { latitude: '1', longitude: '2' };
for (let n = 0; n < 3; n += 1) await user.upload(place);

const on = ['--home', home.dir, '--json'];
const move = (...args: string[]): Promise<Ran> => hosted(['database', 'move', ...on, ...args]);

const whileServed = await move('--to', 'postgresql://a@localhost/b');
await first.end();

/** Asserts that clients see three images and can add a fourth. */
async function assertServes(): Promise<void> {
  await first.restart();
  assert.equal(await user.count(), 3);
  await user.upload(place);
  assert.equal(await user.count(), 4);
  await first.end();
}

/** Asserts that the former database is in use and unchanged. */
async function assertUnmoved(when: string): Promise<void> {
  const { image_count } = await resultOf<{ image_count: number }>(
    hosted(['user', 'show', user.id, ...on]),
  );
  assert.equal(image_count, 3, when);
  assert.doesNotMatch(await readFile(home.configFile, 'utf8'), /^database\.url:/m, when);
}

/** Moves the database, and stops the move as soon as it reports a step. */
async function endAt(to: string, step: string, signal: NodeJS.Signals): Promise<void> {
  const child = start(['database', 'move', '--home', home.dir, '--to', to]);
  const ended = once(child, 'exit');
  let log = '';
  for await (const chunk of child.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    log += chunk as string;
    if (log.includes(`${step} `)) break;
  }
  assert.ok(log.includes(`${step} `), log);
  child.stderr.resume();
  child.kill(signal);
  await ended;
}

/** Runs statements one after another. */
async function sql(url: string, statements: readonly string[]): Promise<void> {
  const options = { url, poolSize: 1, statementTimeoutMs: 0, entities: [], migrations: [] };
  const db = await createDataSource(options).initialize();
  try {
    for (const statement of statements) await rows(db, statement);
  } finally {
    await db.destroy();
  }
}

/** Changes names without firing triggers, which would change other tables. */
const renaming = (name: string): string[] => [
  'ALTER TABLE images DISABLE TRIGGER USER',
  `UPDATE images SET filename = ${name}`,
  'ALTER TABLE images ENABLE TRIGGER USER',
];

const damage = [
  ...renaming(`filename || 'x'`),
  'CREATE SCHEMA aside',
  'CREATE TABLE aside.lost AS SELECT * FROM refresh_tokens',
  'DELETE FROM refresh_tokens',
];
const mending = [
  ...renaming('left(filename, -1)'),
  'INSERT INTO refresh_tokens SELECT * FROM aside.lost',
  'DROP SCHEMA aside CASCADE',
];

/** The steps at which a run is stopped; the last one leaves the most behind. */
type End = readonly [step: string, signal: NodeJS.Signals];
const others: readonly End[] = [
  ['Dumping', 'SIGKILL'],
  ['Restoring', 'SIGINT'],
  ['Restoring', 'SIGKILL'],
  ['Comparing', 'SIGKILL'],
];
const last: End = ['Checking', 'SIGKILL'];

// One test, since each step continues from the state that the previous one left.
test('imgstore database move', async (steps) => {
  const target = blankDatabase(scope);

  await steps.test(
    'refuses impossible moves before anything is changed, with remedies',
    async (t) => {
      const inner = lastFirst(t);
      const { url: empty } = await target;
      const { url: filled } = await testDatabase(inner);
      await sql(filled, [`INSERT INTO instance (id, store) VALUES (gen_random_uuid(), 'local')`]);
      // Otherwise each command would start the server.
      const held = await openDatabase({ home, report: () => undefined });
      inner.after(() => held.close());
      await fails(whileServed, 1, { code: 'in_use', remedy: 'kill ' });
      await fails(move(), 2, { setting: '--to' });
      await fails(move('--to', 'mysql://x'), 2, { setting: '--to' });
      await fails(move('--to', 'private'), 2, { code: 'nothing_to_do', setting: '--to' });
      await fails(move('--to', filled), 1, {
        code: 'not_empty',
        setting: '--to',
        remedy: 'CREATE DATABASE',
      });
      const nowhere = 'postgresql://imgstore@127.0.0.1:1/x';
      await fails(move('--to', nowhere), 69, { about: 'ECONNREFUSED' });
      const flagged = move('--to', empty, '--database-url', filled);
      await fails(flagged, 78, { setting: 'database.url', about: 'flag' });
      await fails(move('--remove-old'), 1, { code: 'in_use', setting: '--remove-old' });
      await fails(move('--remove-old', '--to', empty), 2, { setting: '--remove-old' });
      const variable = hosted(['database', 'move', '--to', empty, ...on], {
        env: { IMGSTORE_DATABASE_URL: filled },
      });
      await fails(variable, 78, { setting: 'database.url', about: 'IMGSTORE_DATABASE_URL' });
      const config = await readFile(home.configFile, 'utf8');
      await writeFile(home.configFile, '[broken');
      await fails(move('--to', empty), 78, { about: home.configFile });
      await writeFile(home.configFile, config);
      await assertUnmoved('after refusals');
    },
  );

  await steps.test('stopped halfway, leaves the former database in use', async () => {
    const { url } = await target;
    for (const [step, signal] of [...(longForm ? others : []), last]) {
      await endAt(url, step, signal);
      await assertUnmoved(`${signal} while ${step}`);
    }
  });

  await steps.test('does not switch to a copy that differs from the original', async () => {
    const { url } = await target;
    await sql(url, damage);
    const { message } = await fails(move('--to', url), 1, {
      setting: '--to',
      remedy: 'DROP DATABASE',
    });
    for (const table of ['images', 'refresh_tokens']) assert.ok(message.includes(table), message);
    await assertUnmoved('with a copy that differs');
    await sql(url, mending);
  });

  await steps.test(
    'to an external server: every row is compared, the former database is kept',
    async () => {
      const moved = await resultOf<Replaced>(move('--to', (await target).url));
      assert.equal(moved.kept, join(home.database, 'cluster'));
      assert.ok(moved.rows > 20 && moved.tables > 20);
      assert.match(await readFile(home.configFile, 'utf8'), /^database\.url: postgresql/m);
      assert.equal(await postmasterPid(home), undefined, 'the private server has stopped');
      await assertServes();
    },
  );

  await steps.test(
    'the former database is removed by a command; until then moving back is refused',
    async () => {
      await fails(move('--to', 'private'), 1, { setting: '--to', remedy: '--remove-old' });
      await fails(move('--to', (await target).url), 2, { code: 'nothing_to_do', setting: '--to' });
      const removed = await resultOf(move('--remove-old', '--yes'));
      assert.deepEqual(removed, { removed: ['cluster'] });
      assert.ok(!existsSync(join(home.database, 'cluster')));
    },
  );

  // test/upgrade/major.test.ts replaces a private database.
  await steps.test('back to a private server', longOnly, async () => {
    const back = await resultOf<Replaced>(move('--to', 'private'));
    assert.equal(back.kept, null);
    assert.ok(existsSync(join(home.database, 'cluster')));
    assert.ok(!existsSync(join(home.database, 'next')));
    const verified = await resultOf<{ ok: boolean }>(hosted(['verify', 'accounts', ...on]));
    assert.equal(verified.ok, true);
    assert.doesNotMatch(await readFile(home.configFile, 'utf8'), /^database\.url: postgresql/m);
    await fails(move('--to', 'private'), 2, { code: 'nothing_to_do', setting: '--to' });
    const show = hosted(['user', 'show', user.id, ...on]);
    assert.equal((await resultOf<{ image_count: number }>(show)).image_count, 4);
  });
});
