import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { acquireLock, LockHeldError, readLock, tryLock, waitForLock } from './process-lock.js';
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
  wrapper: readonly string[] = [],
): Promise<[ChildProcess, string]> {
  const module = new URL('./process-lock.js', import.meta.url).href;
  const code = `import { acquireLock } from '${module}'; const path = ${JSON.stringify(path)}; ${script}`;
  const words = [...wrapper, process.execPath, '--input-type=module', '-e', code];
  const child = spawn(words[0] as string, words.slice(1), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return [child, line.toString().trim()];
}

const holdForEver = `await acquireLock(path, { port: 8080 }); console.log('held'); setInterval(() => {}, 1e6);`;

const tried = `console.log(await acquireLock(path).then(() => 'held', (e) => e.name));
  setInterval(() => {}, 1e6);`;

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

test('a lock is held across PID namespaces, even if its file says that another process has it', async (t) => {
  const path = await lockPath(t);
  await child(t, path, holdForEver);
  await writeFile(path, JSON.stringify({ pid: 2 ** 22 + 1, host: 'gone' }));
  const [, line] = await child(t, path, tried, ['unshare', '--pid', '--fork', '--kill-child']);
  assert.equal(line, 'LockHeldError');
});

test('what a lock file says does not hold the lock', async (t) => {
  const path = await lockPath(t);
  await writeFile(path, JSON.stringify({ pid: process.pid, host: hostname() }), { mode: 0o644 });
  assert.equal(await readLock(path), undefined);
  const lock = await acquireLock(path);
  assert.equal((await stat(path)).mode & 0o777, 0o600, 'nobody else can hold it');
  await writeFile(path, '{"pid":'); // as while the holder writes
  assert.equal((await readLock(path))?.name, 'another process');
  await lock.release();
});

test('of many processes that want a lock, one gets it, while others look whether it is held', async (t) => {
  const path = await lockPath(t);
  const looking = Promise.all(Array.from({ length: 10 }, () => readLock(path)));
  const found = await Promise.all(Array.from({ length: 5 }, () => child(t, path, tried)));
  await looking;
  const words = found.map(([, line]) => line).sort();
  assert.deepEqual(words, [...Array<string>(4).fill('LockHeldError'), 'held'].sort());
});

test('waiting ends when the holder releases the lock, or with the signal', async (t) => {
  const path = await lockPath(t);
  const lock = await acquireLock(path);
  const reason = new Error('interrupted');
  const stop = new AbortController();
  const interrupted = waitForLock(path, 'exclusive', stop.signal);
  stop.abort(reason);
  await assert.rejects(interrupted, reason);
  const waiting = [waitForLock(path, 'shared'), waitForLock(path, 'shared')];
  await lock.release();
  const both = await Promise.all(waiting);
  assert.equal(await tryLock(path), undefined);
  for (const one of both) await one.release();
  assert.ok(await tryLock(path));
});

test('a child that inherits a lock keeps it', async (t) => {
  const path = await lockPath(t);
  const lock = await acquireLock(path);
  const heir = spawn('sleep', ['1000'], { stdio: ['ignore', 'ignore', 'ignore', lock.fd] });
  t.after(() => heir.kill('SIGKILL'));
  await once(heir, 'spawn');
  await lock.release();
  assert.ok(await readLock(path));
  heir.kill('SIGKILL');
  await (await waitForLock(path, 'exclusive')).release();
});

test('without the program that locks, the way out is named', async (t) => {
  const path = await lockPath(t);
  const script = `console.log(await acquireLock(path).catch((e) => e.exitCode + e.remedy));
    setInterval(() => {}, 1e6);`;
  const [, line] = await child(t, path, script, ['env', 'PATH=/nowhere']);
  assert.match(line, /^78Install flock \(util-linux\)/);
});
