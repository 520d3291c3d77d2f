import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { start, newHome } from '../../testkit/command.js';
import { testDatabase } from '../../testkit/database.js';
import { readUntil } from '../../testkit/read-until.js';
import { lastFirst, type Scope } from '../../testkit/scope.js';
import { key, needsTerminal, onTerminal } from '../../testkit/terminal.js';

const sh = async (command: string, env: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, ...env } })).stdout;

async function words(scope: Scope): Promise<{ dir: string; args: string[] }> {
  const home = await newHome(scope);
  const { url } = await testDatabase(scope);
  const where = ['--home', home.dir, '--database-url', url, '--port', '0', '--workers', '1'];
  return { dir: home.dir, args: ['up', ...where] };
}

/** The printed command that uploads a picture. */
const curlIn = (shown: string): string => /^curl [^]*?\/images$/m.exec(shown)?.[0] ?? '';

test('"up" keeps tokens in files that only their owner can read, and its curl command works as printed', async (parent) => {
  const scope = lastFirst(parent);
  const { dir, args } = await words(scope);
  const child = start(args);
  scope.after(async () => {
    if (child.exitCode === null) process.kill(-(child.pid as number), 'SIGKILL');
  });
  const shown = await readUntil(child.stdout, /Ctrl-C stops everything\.\n/);
  const steps = await readUntil(child.stderr, /serving/);
  assert.match(steps, /^Preparing .*\n(.*\n)*Starting the database and the imaging process$/m);
  assert.doesNotMatch(shown, /eyJ/, 'no token on the screen');
  assert.equal((await stat(join(dir, 'tokens'))).mode & 0o777, 0o700);
  const url = /URL +(\S+)/.exec(shown)?.[1] ?? '';
  assert.ok(shown.includes(`${url}/docs`));
  for (const [name, scheme, path] of [
    ['admin', 'Admin', '/api/v1/platforms/'],
    ['platform', 'Platform', undefined],
    ['user', 'User', undefined],
  ] as const) {
    const file = join(dir, 'tokens', name);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const authorization = `${scheme} ${(await readFile(file, 'utf8')).trim()}`;
    if (path) assert.equal((await fetch(url + path, { headers: { authorization } })).status, 200);
  }
  const answer = JSON.parse(await sh(`${curlIn(shown)} --silent`)) as { status_code: number };
  assert.equal(answer.status_code, 200);
  const [, page = '', signIn = ''] = /console +(\S+)\n.*\n +(.+ console .+)/.exec(shown) ?? [];
  assert.match(await (await fetch(page)).text(), /<title>imgstore/);
  const printed = new RegExp(`^${page}#code=(\\S+)$`, 'm');
  const codes = [shown, await sh(signIn)].map((text) => printed.exec(text)?.[1] ?? '');
  for (const code of codes) {
    const body = new URLSearchParams({ code });
    const signedIn = await fetch(`${url}/api/v1/auth/console`, { method: 'POST', body });
    assert.equal(signedIn.status, 200, code);
  }
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(child.pid as number, 'SIGTERM');
  assert.equal(await ended, 0);
});

test('on a terminal no log scrolls away the output of "up"', needsTerminal, async (t) => {
  const { dir, args } = await words(t);
  const env = { HOME: dirname(dir) };
  let uploaded = '';
  const { code, shown } = await onTerminal(
    [...args, '--yes'],
    [
      [
        /Ctrl-C stops everything\./,
        async (screen) => {
          uploaded = await sh(`${curlIn(screen.replaceAll('\r\n', '\n'))} --silent`, env);
          return key.ctrlC;
        },
      ],
    ],
    { env },
  );
  assert.equal(code, 130);
  assert.equal((JSON.parse(uploaded) as { status_code: number }).status_code, 200);
  assert.match(shown, /^· Starting the database and the imaging process\r$/m);
  assert.match(shown, /--log-level info shows them/);
  assert.doesNotMatch(shown, /info request/);
  const screen = shown.slice(shown.indexOf('imgstore is ready.'));
  for (const line of screen.split('\r\n')) {
    assert.ok([...line].length <= 80 || /^http\S+#code=\S+$/.test(line), line);
  }
});
