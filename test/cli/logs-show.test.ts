import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readLock } from '../../src/base/os/process-lock.js';
import { cleanEnv, program, start, type Failure } from '../../testkit/command.js';
import { eventually } from '../../testkit/eventually.js';
import { hosted } from '../../testkit/hosted-command.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { Journal, needsJournal } from '../../testkit/journal.js';
import { readUntil } from '../../testkit/read-until.js';
import { lastFirst } from '../../testkit/scope.js';

test('logs show prints the end of the log file of the service, and follows it', async (t) => {
  const { home } = await initializedHome(t);
  const here = ['--home', home.dir];
  const stopped = await hosted(['logs', 'show', ...here, '--json']);
  assert.equal(stopped.code, 1);
  assert.match(String(stopped.json<Failure>().error.message), /is not running/);

  const path = join(home.dir, 'serve.log');
  const file = await open(path, 'a');
  const args = ['serve', '--port', '0', '--workers', '1', '--log-format', 'text', ...here];
  const service = spawn(program, args, {
    env: cleanEnv({}),
    stdio: ['ignore', 'ignore', file.fd],
  });
  await file.close();
  t.after(async () => {
    if (service.exitCode !== null) return;
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    await ended;
  });
  const shown = async () =>
    (await hosted(['logs', 'show', ...here, '--json'])).json<{ lines?: string[] }>().lines ?? [];
  const serves = async () => / serving /.test(await readFile(path, 'utf8'));
  await eventually('it serves', serves);
  assert.ok((await shown()).some((line) => / serving /.test(line)));
  const alone = (words: string[]) => hosted(['logs', ...words, ...here, '--json']);
  assert.deepEqual((await alone([])).json(), (await alone(['show'])).json());
  assert.equal((await alone(['--lines', '1'])).json<{ lines: string[] }>().lines.length, 1);
  assert.equal((await alone(['--lines', '1', 'show'])).json<{ lines: string[] }>().lines.length, 1);
  const last = await hosted(['logs', 'show', '--lines', 'all', ...here]);
  assert.equal(last.code, 2);

  const following = start(['logs', 'show', '--follow', ...here]);
  t.after(() => following.kill('SIGKILL'));
  await readUntil(following.stdout, / serving /);
  service.kill('SIGTERM');
  await readUntil(following.stdout, / stopping: /);
  const ended = once(following, 'exit');
  following.kill('SIGINT');
  assert.deepEqual(await ended, [0, null]);
});

test('under systemd, logs show prints the journal of the unit', needsJournal, async (t) => {
  const scope = lastFirst(t);
  const { home } = await initializedHome(scope);
  const journal = await Journal.start(scope);
  const unit = `imgstore-${process.pid}.service`;
  const here = ['--home', home.dir];
  await journal.startUnit(scope, unit, ['serve', '--port', '0', '--workers', '1', ...here]);
  const servedAt = async () => (await readLock(home.serveLock))?.info.address;
  await eventually('it serves', async () => (await servedAt()) !== undefined);
  await eventually('the journal has it', async () => {
    const { code, stdout } = await journal.imgstore('logs', 'show', '--json', ...here);
    assert.equal(code, 0, stdout);
    const { source, lines } = JSON.parse(stdout) as { source: string; lines: string[] };
    assert.equal(source, `journalctl --no-pager --unit=${unit} --lines=50`);
    return lines.some((line) => line.includes('"message":"serving"'));
  });
});
