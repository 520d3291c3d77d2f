import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { DataSourceOptions } from 'typeorm';
import { rows } from '../../src/database/sql.js';
import { Album } from '../../testkit/album.js';
import { newHome, program } from '../../testkit/command.js';
import { testDatabase } from '../../testkit/database.js';
import { newBucketConfig } from '../../testkit/s3.js';
import { testService } from '../../testkit/service.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

// A terminal for the command: util-linux's script creates one.
const skip =
  spawnSync('script', ['--version']).status === 0 ? false : 'util-linux script(1) is missing';

/**
 * Runs a command on a terminal; types each of the `answers` when its question appears.
 * @param stdout the file that its stdout leads into, in place of the terminal.
 */
async function onTerminal(
  args: string[],
  answers: [question: RegExp, typed: string][],
  stdout?: string,
) {
  const words = [process.execPath, program, ...args].map((word) => `'${word}'`);
  const line = [...words, ...(stdout ? [`> '${stdout}'`] : [])].join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm' },
  });
  let shown = '';
  const open = [...answers];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const [next] = open;
    if (next?.[0].test(shown)) {
      open.shift();
      child.stdin.write(next[1]);
    }
  });
  const tooLong = setTimeout(() => child.kill(), 60_000);
  await once(child, 'close');
  clearTimeout(tooLong);
  assert.deepEqual(open, [], `every question was asked: ${shown}`);
  return { code: child.exitCode, shown };
}

test('on a terminal init asks for open settings, and stores the answers', { skip }, async (t) => {
  const home = await newHome(t);
  const { url } = await testDatabase(t);
  const { code } = await onTerminal(
    ['init', '--home', home.dir],
    [
      [/TCP port/, '4713\r'],
      [/PostgreSQL database with PostGIS/, `${url}\r`],
    ],
  );
  assert.equal(code, 0);
  const config = await readFile(home.configFile, 'utf8');
  assert.match(config, /^port: 4713$/m);
  assert.ok(config.includes(`database.url: ${url}`));
});

test('Ctrl-C at a question exits with 130 and leaves nothing behind', { skip }, async (t) => {
  const home = await newHome(t);
  const { code, shown } = await onTerminal(['init', '--home', home.dir], [[/TCP port/, '\x03']]);
  assert.equal(code, 130);
  assert.match(shown, /Run the same command again: it is safe/);
  assert.match(shown, /Error: Interrupted\./);
  assert.doesNotMatch(shown, /^\s+at /m);
  await assert.rejects(readFile(home.configFile), { code: 'ENOENT' });
});

test('with --yes nothing is asked', { skip }, async (t) => {
  const home = await newHome(t);
  const { url } = await testDatabase(t);
  const { code, shown } = await onTerminal(
    ['init', '--yes', '--home', home.dir, '--database-url', url],
    [],
  );
  assert.equal(code, 0, shown);
  assert.doesNotMatch(shown, /TCP port/);
});

test(
  'with an S3 server the bucket and the keys are asked for, without echo',
  { skip },
  async (t) => {
    const home = await newHome(t);
    const { url } = await testDatabase(t);
    const { endpoints, bucket, secretKey } = newBucketConfig();
    const { shown } = await onTerminal(
      ['init', '--home', home.dir, '--database-url', url, '--s3-endpoint', endpoints.join(',')],
      [
        [/TCP port/, '\r'],
        [/S3 bucket/, `${bucket}\r`],
        [/Access key/, 'nobody\r'],
        [/Secret key/, `${secretKey}\r`],
      ],
    );
    assert.match(shown, /rejected the keys/);
    assert.ok(!shown.includes(secretKey));
  },
);

async function logFile(t: TestContext): Promise<string> {
  const dir = await temporaryDirectory('log');
  t.after(() => rm(dir, { recursive: true }));
  return join(dir, 'log');
}

test('what deletes asks on the terminal when its stdout is a file', { skip }, async (t) => {
  const service = await testService(t);
  const album = await Album.of(service);
  const { id } = await album.upload();
  await album.update(id, { delete: 'True' });
  const inTrash = async (): Promise<boolean> =>
    (await rows(service.db, 'SELECT 1 FROM images WHERE id = $1', [id])).length === 1;
  const { url } = service.db.options as Extract<DataSourceOptions, { type: 'postgres' }>;
  const where = ['--home', service.home.dir, '--database-url', url ?? ''];
  const empty = ['trash', 'empty', '--user', album.user.id, ...where];
  const question = /Permanently delete 1 image and 0 folders of 1 user\?/;
  const log = await logFile(t);

  const interrupted = await onTerminal(empty, [[question, '\x03']], log);
  assert.equal(interrupted.code, 130);
  assert.match(interrupted.shown, /Error: Interrupted\./);
  const refused = await onTerminal(empty, [[question, '\r']], log);
  assert.equal(refused.code, 1);
  assert.match(refused.shown, /Error: Nothing was changed\./);
  assert.ok(await inTrash());
  assert.equal(await readFile(log, 'utf8'), '');

  const emptied = await onTerminal(empty, [[question, 'y\r']], log);
  assert.equal(emptied.code, 0, emptied.shown);
  assert.match(await readFile(log, 'utf8'), /^Deleted 1 image and 0 folders;/);
  assert.equal(await inTrash(), false);
});

test('Ctrl-C at the question of "store clear" ends it with 130', { skip }, async (t) => {
  const home = await newHome(t);
  const clear = ['store', 'clear', '--from', 'local', '--home', home.dir];
  const question = /Delete all objects left in local by the move\?/;
  const { code, shown } = await onTerminal(clear, [[question, '\x03']], await logFile(t));
  assert.equal(code, 130, shown);
});
