import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Home } from '../../src/base/config/home.js';
import { newHome, type Failure, type Ran, type RunOptions } from '../../testkit/command.js';
import { testDatabase } from '../../testkit/database.js';
import { hosted } from '../../testkit/hosted-command.js';
import { nodeHome } from '../../testkit/nodes.js';
import { serve } from '../../testkit/appliance.js';
import type { Scope } from '../../testkit/scope.js';

const init = (home: Home, args: readonly string[], options?: RunOptions): Promise<Ran> =>
  hosted(['init', '--home', home.dir, '--json', ...args], options);

const masterKey = (home: Home): string => join(home.secrets, 'master.key');

/** An installation with one node, and its exported key in a file. */
async function installation(scope: Scope) {
  const first = await newHome(scope);
  const { url } = await testDatabase(scope);
  const { code, stdout } = await init(first, ['--database-url', url]);
  assert.equal(code, 0, stdout);
  const exported = await hosted(['keys', 'export', '--home', first.dir]);
  assert.equal(exported.code, 0);
  const file = join(first.dir, 'exported.key');
  await writeFile(file, exported.stdout, { mode: 0o600 });
  return { first, url, file };
}

/** Writes a key to a file, as an operator might keep it. */
async function keyFile(name: string, text: string): Promise<string> {
  const path = join(first.dir, name);
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

function refusal({ code, json }: Ran): Failure['error'] {
  const { error } = json<Failure>();
  assert.equal(code, 78);
  assert.equal(error.exit_code, 78);
  return error;
}

const { first, url, file } = await installation({ after });

describe('a second node', { concurrency: 2 }, () => {
  test('joins with URL and key, and accepts tokens of the first', async (t) => {
    const second = await nodeHome(t, first);
    const joined = await init(second, ['--database-url', url, '--master-key-file', file]);
    assert.equal(joined.code, 0, joined.stdout);
    assert.equal(
      await readFile(masterKey(second), 'utf8'),
      await readFile(masterKey(first), 'utf8'),
    );
    assert.equal((await stat(masterKey(second))).mode & 0o777, 0o600);

    const token = await hosted(['admin', 'token', '--home', first.dir]);
    const node = await serve(t, second);
    const { status } = await node.client.get('/api/v1/platforms/', {
      as: ['Admin', token.stdout.trim()],
    });
    assert.equal(status, 200);
    assert.equal(await node.end(), 0);
    const again = await init(second, ['--database-url', url, '--master-key-file', file]);
    assert.equal(again.code, 0, 'safe to run again');
  });

  test('takes the key from IMGSTORE_MASTER_KEY_FILE, and the database URL from the environment', async (t) => {
    const second = await nodeHome(t, first);
    const env = { IMGSTORE_DATABASE_URL: url, IMGSTORE_MASTER_KEY_FILE: file };
    const { code, stdout } = await init(second, [], { env });
    assert.equal(code, 0, stdout);
  });

  test('without the key: 78, with instructions for joining, and leaves no new key behind', async (t) => {
    const second = await nodeHome(t, first);
    const error = refusal(await init(second, ['--database-url', url]));
    assert.deepEqual([error.code, error.setting], ['wrong_key', 'database.url']);
    assert.ok(error.remedy?.includes(`--home ${second.dir} --master-key-file`));
    assert.ok(error.remedy?.includes('keys export'));
    assert.deepEqual(await readdir(second.secrets), []);
    const { code } = await init(second, ['--database-url', url, '--master-key-file', file]);
    assert.equal(code, 0, 'the remedy helps');
  });

  test('with the key of another installation: 78, and it is not stored', async (t) => {
    const second = await nodeHome(t, first);
    const other = await keyFile('other.key', randomBytes(32).toString('base64'));
    const error = refusal(await init(second, ['--database-url', url, '--master-key-file', other]));
    assert.equal(error.message, `The master key in ${other} does not match the database.`);
    assert.equal(error.setting, 'database.url');
    assert.deepEqual(await readdir(second.secrets), []);
  });

  test('with a file that contains no key, or does not exist: 78', async (t) => {
    const second = await nodeHome(t, first);
    const torn = await keyFile('torn.key', 'torn');
    for (const [given, code] of [
      [torn, 'damaged'],
      [`${torn}.away`, 'missing'],
    ] as const) {
      const args = ['--database-url', url, '--master-key-file', given];
      const error = refusal(await init(second, args));
      assert.equal(error.code, code);
      assert.ok(error.message.includes(given), error.message);
    }
  });

  test('with a key, but on a private database: 78, before anything is created', async (t) => {
    const second = await newHome(t);
    const error = refusal(await init(second, ['--master-key-file', file]));
    assert.equal(error.setting, 'database.url');
    assert.equal(error.setting, 'database.url');
    await assert.rejects(readdir(second.dir), { code: 'ENOENT' });
  });

  test('with a store of its own: 78, even while there are no images yet', async (t) => {
    const second = await newHome(t);
    const error = refusal(await init(second, ['--database-url', url, '--master-key-file', file]));
    assert.equal(error.code, 'missing');
  });

  test('in a home with another key: 78, and the key stays', async () => {
    const before = await readFile(masterKey(first), 'utf8');
    const other = await keyFile('another.key', randomBytes(32).toString('base64url'));
    const error = refusal(await init(first, ['--master-key-file', other]));
    assert.deepEqual([error.code, error.setting], ['wrong_key', 'home']);
    assert.equal(await readFile(masterKey(first), 'utf8'), before);
  });
});

test('the first node accepts a given key, too', async (t) => {
  const home = await newHome(t);
  const { url } = await testDatabase(t);
  const file = join(home.dir, '..', 'chosen.key');
  const chosen = randomBytes(32);
  await writeFile(file, chosen.toString('base64')); // as "openssl rand -base64 32" writes it
  const { code, stdout } = await init(home, ['--database-url', url, '--master-key-file', file]);
  assert.equal(code, 0, stdout);
  const { json } = await hosted(['keys', 'export', '--home', home.dir, '--json']);
  assert.deepEqual(json(), { master_key: chosen.toString('base64url') });
});
