import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { newHome, program } from '../../testkit/command.js';
import { testDatabase } from '../../testkit/database.js';
import { newAddress } from '../../testkit/s3.js';

// A terminal of its own for the command: util-linux's script makes one.
const skip =
  spawnSync('script', ['--version']).status === 0 ? false : 'there is no script(1) of util-linux';

/** Runs a command on a terminal; types `answers`, each when its question is there. */
async function onTerminal(args: string[], answers: [question: RegExp, typed: string][]) {
  const line = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ');
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
  await once(child, 'close');
  assert.deepEqual(open, [], `every question was asked: ${shown}`);
  return { code: child.exitCode, shown };
}

test('on a terminal init asks for what is open, and keeps the answers', { skip }, async (t) => {
  const home = await newHome(t);
  const { url } = await testDatabase(t);
  const { code } = await onTerminal(
    ['init', '--home', home.dir],
    [
      [/TCP port/, '4713\r'],
      [/PostgreSQL with PostGIS/, `${url}\r`],
    ],
  );
  assert.equal(code, 0);
  const config = await readFile(home.configFile, 'utf8');
  assert.match(config, /^port: 4713$/m);
  assert.ok(config.includes(`database.url: ${url}`));
});

test('Ctrl-C at a question ends with 130 and leaves nothing', { skip }, async (t) => {
  const home = await newHome(t);
  const { code, shown } = await onTerminal(['init', '--home', home.dir], [[/TCP port/, '\x03']]);
  assert.equal(code, 130);
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

test('with an S3 server the bucket and the keys are asked for, unseen', { skip }, async (t) => {
  const home = await newHome(t);
  const { url } = await testDatabase(t);
  const { endpoints, bucket, secretKey } = newAddress();
  const { shown } = await onTerminal(
    ['init', '--home', home.dir, '--database-url', url, '--s3-endpoint', endpoints.join(',')],
    [
      [/TCP port/, '\r'],
      [/Bucket/, `${bucket}\r`],
      [/Access key/, 'nobody\r'],
      [/Secret key/, `${secretKey}\r`],
    ],
  );
  assert.match(shown, /does not accept the keys/);
  assert.ok(!shown.includes(secretKey));
});
