import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Home } from '../../src/config/home.js';
import { createDataSource } from '../../src/database/data-source.js';
import { rows } from '../../src/database/sql.js';
import type { Replaced } from '../../src/operations/upgrade/replace.js';
import { resultOf } from '../../testkit/backups.js';
import { imgstore, newPrivateHome, postmasterPid, start } from '../../testkit/command.js';
import type { Failure } from '../../testkit/command.js';
import { copiedHome } from '../../testkit/copied-home.js';
import { blankDatabase, testDatabase } from '../../testkit/database.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { lastFirst } from '../../testkit/scope.js';
import type { Scope } from '../../testkit/scope.js';
import { serve } from '../../testkit/serving.js';

const scope = lastFirst({ after });
const model = await newPrivateHome(scope);
const first = await serve(scope, model, ['--log-format', 'text'], 'up');
const { user } = first.greeting;
const images = `/api/v1/users/${user.user_id}/images`;
const as = ['User', user.access_token] as const;
const form = {
  image_data: filePart(await jpeg({ width: 64, height: 48 })),
  latitude: '1',
  longitude: '2',
};
for (let n = 0; n < 3; n += 1)
  assert.equal((await first.client.post(images, { as, form })).status, 200);
const isServed = await resultOf<Failure>(
  imgstore([
    'database',
    'move',
    '--to',
    'postgresql://a@localhost/b',
    '--home',
    model.dir,
    '--json',
  ]),
  1,
);
await first.end();

const move = (dir: string, ...args: string[]) =>
  imgstore(['database', 'move', '--home', dir, '--json', ...args]);

const said = async (running: ReturnType<typeof move>, code: number): Promise<string> => {
  const { error } = await resultOf<Failure>(running, code);
  return `${error.setting ?? ''}: ${error.message} ${error.remedy ?? ''}`;
};

/** What its clients see: three images, and a fourth can be added. */
async function assertServes(parent: Scope, home: Home): Promise<void> {
  const running = await serve(parent, home);
  const count = async () =>
    (await running.client.get<{ total_count: number }>(images, { as })).result.total_count;
  const before = await count();
  assert.equal((await running.client.post(images, { as, form })).status, 200);
  assert.equal(await count(), before + 1);
  await running.end();
  const verified = await imgstore(['stats', 'verify', '--home', home.dir, '--json']);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
}

/** Moves a database, and ends that as soon as it says that it does something. */
async function endAt(home: Home, to: string, step: string, signal: NodeJS.Signals): Promise<void> {
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

async function sql(url: string, statement: string): Promise<unknown[]> {
  const options = { url, poolSize: 1, statementTimeoutMs: 0, entities: [], migrations: [] };
  const db = await createDataSource(options).initialize();
  try {
    return await rows(db, statement);
  } finally {
    await db.destroy();
  }
}

describe('imgstore database move', () => {
  test('to a server of one’s own and back: every row compared, the former database kept', async (t) => {
    const inner = lastFirst(t);
    const home = await copiedHome(inner, model);
    const { url } = await blankDatabase(inner);
    const moved = await resultOf<Replaced>(move(home.dir, '--to', url));
    assert.equal(moved.kept, join(home.database, 'cluster'));
    assert.ok(moved.rows > 20 && moved.tables > 20);
    assert.match(await readFile(home.configFile, 'utf8'), /^database\.url: postgresql/m);
    assert.equal(await postmasterPid(home), undefined, 'the private server has stopped');
    await assertServes(inner, home);

    assert.match(await said(move(home.dir, '--to', 'private'), 1), /is left from before a move/);
    assert.match(await said(move(home.dir, '--to', url), 2), /is there already/);
    const removed = await resultOf(move(home.dir, '--remove-old', '--yes'));
    assert.deepEqual(removed, { removed: ['cluster'] });
    const back = await resultOf<Replaced>(move(home.dir, '--to', 'private'));
    assert.equal(back.kept, null);
    await assertServes(inner, home);
    assert.ok(existsSync(join(home.database, 'cluster')));
    assert.ok(!existsSync(join(home.database, 'next')));
  });

  test('ended halfway, leaves the former database in use; the next run completes it', async (t) => {
    const inner = lastFirst(t);
    const home = await copiedHome(inner, model);
    const { url } = await blankDatabase(inner);
    // Each of the steps before and between leaves less behind: "npm run upgrade:test" kills all of them.
    const ends = [
      ['Restoring', 'SIGINT'],
      ['Checking', 'SIGKILL'],
    ] as const;
    for (const [step, signal] of ends) {
      await endAt(home, url, step, signal);
      const listed = await imgstore(['platform', 'list', '--home', home.dir, '--json']);
      assert.equal(listed.code, 0, `${signal} while ${step}: ${listed.stdout}`);
      assert.ok(!/^database\.url:/m.test(await readFile(home.configFile, 'utf8')), step);
    }
    await resultOf(move(home.dir, '--to', url));
    await assertServes(inner, home);
  });

  test('refuses what cannot work before anything is changed, and says what can', async (t) => {
    const inner = lastFirst(t);
    const home = await copiedHome(inner, model);
    const { url: empty } = await blankDatabase(inner);
    const { url: filled } = await testDatabase(inner);
    assert.match(isServed.error.message, /already being served by process/);
    assert.match(await said(move(home.dir), 2), /^--to: --to is missing/);
    assert.match(await said(move(home.dir, '--to', 'mysql://x'), 2), /^--to: --to must be the URL/);
    assert.match(await said(move(home.dir, '--to', 'private'), 2), /is there already/);
    assert.match(
      await said(move(home.dir, '--to', filled), 1),
      /^--to: .*not empty.*CREATE DATABASE/,
    );
    const nowhere = 'postgresql://imgstore@127.0.0.1:1/x';
    assert.match(await said(move(home.dir, '--to', nowhere), 69), /cannot be reached/);
    const flagged = move(home.dir, '--to', empty, '--database-url', filled);
    assert.match(await said(flagged, 78), /chosen by the flag/);
    assert.match(await said(move(home.dir, '--remove-old'), 1), /is the database in use/);
    assert.match(
      await said(move(home.dir, '--remove-old', '--to', empty), 2),
      /cannot be combined/,
    );
    const variable = imgstore(['database', 'move', '--to', empty, '--home', home.dir, '--json'], {
      env: { IMGSTORE_DATABASE_URL: filled },
    });
    assert.match(await said(variable, 78), /the variable IMGSTORE_DATABASE_URL/);
    await writeFile(home.configFile, '[broken');
    assert.match(await said(move(home.dir, '--to', empty), 78), /config/);
    assert.deepEqual(await readdir(home.dir).then((names) => names.includes('dumps')), true);
  });

  test('a copy that differs from the original is not put to use', async (t) => {
    const inner = lastFirst(t);
    const home = await copiedHome(inner, model);
    const { url } = await blankDatabase(inner);
    await resultOf(move(home.dir, '--to', url));
    const config = await readFile(home.configFile, 'utf8');
    await writeFile(home.configFile, config.replace(/^database\.url:.*$/m, ''));
    await sql(
      url,
      `UPDATE images SET filename = filename || 'x' WHERE id = (SELECT min(id::text)::uuid FROM images)`,
    );
    await sql(
      url,
      `DELETE FROM refresh_tokens WHERE id = (SELECT min(id::text)::uuid FROM refresh_tokens)`,
    );
    const told = await said(move(home.dir, '--to', url), 1);
    assert.match(
      told,
      /not what the original is: .*rows of images differ.*refresh_tokens has \d+ rows instead of \d+/,
    );
    assert.match(told, /DROP DATABASE/);
    await assertServes(inner, home);
  });
});
