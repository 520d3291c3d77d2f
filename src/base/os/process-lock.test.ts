import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { acquireLock, LockHeldError, processStart, readLock, waitForLock } from './process-lock.js';
import { temporaryDirectory } from '../../../testkit/temporary.js';

async function lockPath(t: TestContext): Promise<string> {
  const dir = await temporaryDirectory('lock');
  t.after(() => rm(dir, { recursive: true, force: true }));
  return join(dir, 'the.lock');
}

/** Runs a script that can use `acquireLock` and `path`; resolves at its first line of output. */
async function child(
  t: TestContext,
  path: string,
  script: string,
): Promise<[ChildProcess, string]> {
  const module = new URL('./process-lock.js', import.meta.url).href;
  const code = `import { acquireLock } from '${module}'; const path = ${JSON.stringify(path)}; ${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return [child, line.toString().trim()];
}

const holdForEver = `await acquireLock(path, { port: 8080 }); console.log('held'); setInterval(() => {}, 1e6);`;

test('a lock is held once, names its holder, and is free after release', async (t) => {
  const path = await lockPath(t);
  const lock = await acquireLock(path, { port: 1 });
  await lock.update({ port: 2 });
  const error = await acquireLock(path).catch((e: unknown) => e);
  assert.ok(error instanceof LockHeldError);
  assert.equal(error.holder.pid, process.pid);
  assert.deepEqual(error.holder.info, { port: 2 });
  await lock.release();
  assert.equal(await readLock(path), undefined);
  await acquireLock(path);
});

test('releasing twice does not take the lock from the next holder', async (t) => {
  const path = await lockPath(t);
  const first = await acquireLock(path);
  await first.release();
  await acquireLock(path);
  await first.release();
  await assert.rejects(acquireLock(path), LockHeldError);
});

test('another process keeps the lock while it lives, and loses it when killed', async (t) => {
  const path = await lockPath(t);
  const [holder] = await child(t, path, holdForEver);
  assert.equal((await readLock(path))?.pid, holder.pid);
  assert.deepEqual((await readLock(path))?.info, { port: 8080 });
  await assert.rejects(acquireLock(path), LockHeldError);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  assert.equal(await readLock(path), undefined);
  await acquireLock(path);
});

test('a reused pid does not hold the lock', async (t) => {
  const path = await lockPath(t);
  await writeFile(path, JSON.stringify({ pid: process.pid, started: 'another boot/1' }));
  await acquireLock(path);
});

test('a lock file torn by a power cut does not hold the lock', async (t) => {
  const path = await lockPath(t);
  await writeFile(path, '{"pid":');
  await acquireLock(path);
});

test('if many processes find a dead holder, one gets the lock, and no draft remains', async (t) => {
  const path = await lockPath(t);
  await writeFile(path, JSON.stringify({ pid: 2 ** 22 + 1, started: 'gone' }));
  const script = `console.log(await acquireLock(path).then(() => 'held', (e) => e.name));
    setInterval(() => {}, 1e6);`;
  const found = await Promise.all(Array.from({ length: 5 }, () => child(t, path, script)));
  const words = found.map(([, line]) => line).sort();
  assert.deepEqual(words, [...Array<string>(4).fill('LockHeldError'), 'held'].sort());
  assert.deepEqual(await readdir(join(path, '..')), ['the.lock']);
});

test('waiting ends when the holder releases the lock, or with the signal', async (t) => {
  const path = await lockPath(t);
  const lock = await acquireLock(path);
  await assert.rejects(waitForLock(path, AbortSignal.timeout(50)));
  const waiting = waitForLock(path);
  await lock.release();
  await (await waiting).release();
});

test('a living process has a start time, a dead one has none', async () => {
  assert.equal(processStart(process.pid), processStart(process.pid));
  assert.ok(processStart(process.pid));
  assert.equal(processStart(2 ** 22 + 1), undefined);
});
