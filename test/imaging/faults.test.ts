import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { ServiceError } from '../../src/errors/catalogue.js';
import { bomb } from './bomb.js';
import { isRunning, until } from './processes.js';
import { noise, plain, refusedAs, Studio } from './support.js';

const TIMEOUT_MS = 600;
const small = await plain(20, 20, [1, 2, 3]).png().toBuffer();
const large = await noise(2400, 1800).jpeg().toBuffer();

/** A file on which every reader hangs: a pipe that nobody writes to. */
function hangingFile(studio: Studio, name: string): string {
  execFileSync('mkfifo', [studio.path(name)]);
  return studio.path(name);
}

function signal(studio: Studio, name: NodeJS.Signals): number {
  const { pid } = studio.queue;
  assert.ok(pid);
  process.kill(pid, name);
  return pid;
}

test('kill -9 with eight pictures under way costs nobody anything', async () => {
  const studio = await Studio.open();
  const results = Array.from({ length: 8 }, (_, i) => studio.process(`${i}.jpg`, large));
  await Promise.race(results);
  const killed = signal(studio, 'SIGKILL');
  for (const facts of await Promise.all(results)) assert.equal(facts.width, 2400);
  assert.notEqual(studio.queue.pid, killed);
  assert.equal((await studio.process('next.png', small)).width, 20);
  assert.equal(studio.queue.ready(), true);
});

test('a picture that the process dies of twice is refused, its neighbour is not', async () => {
  const studio = await Studio.open();
  const guilty = assert.rejects(
    studio.queue.process(hangingFile(studio, 'guilty')),
    refusedAs('corrupt_image'),
  );
  // Stopped, so that the neighbour is under way too when the process dies.
  await writeFile(studio.path('neighbour'), small);
  const first = signal(studio, 'SIGSTOP');
  const neighbour = studio.queue.process(studio.path('neighbour'));
  signal(studio, 'SIGKILL');
  await until(() => studio.queue.ready() && studio.queue.pid !== first);
  // Being ready, it has the guilty one, alone.
  signal(studio, 'SIGKILL');
  await guilty;
  assert.equal((await neighbour).width, 20);
  assert.deepEqual(await studio.outputsOf('guilty'), []);
});

test('a picture that hangs is refused after its limit, twice, and the others go on', async () => {
  const studio = await Studio.open({ timeoutMs: TIMEOUT_MS });
  const before = studio.queue.pid;
  const guilty = studio.queue.process(hangingFile(studio, 'hanging'));
  const other = studio.process('other.png', small);
  await assert.rejects(guilty, refusedAs('corrupt_image'));
  assert.equal((await other).width, 20);
  assert.notEqual(studio.queue.pid, before);
  assert.equal((await studio.process('next.png', small)).width, 20);
});

test('a decoder that is merely slow gives up by itself, without the process', async () => {
  // The soft limit is a whole second; 900 megapixels take longer than that on any machine.
  const studio = await Studio.open({ timeoutMs: 1000, maxPixels: 1e9 });
  await studio.process('first.png', small);
  const before = studio.queue.pid;
  await assert.rejects(studio.process('slow.png', bomb(30_000)), refusedAs('corrupt_image'));
  assert.equal(studio.queue.pid, before);
  assert.deepEqual(await studio.outputsOf('slow.png'), []);
});

test('a process that stands still is replaced, and its picture succeeds', async () => {
  const studio = await Studio.open({ timeoutMs: TIMEOUT_MS });
  const stopped = signal(studio, 'SIGSTOP');
  assert.equal((await studio.process('patient.png', small)).width, 20);
  assert.notEqual(studio.queue.pid, stopped);
});

test('over the queue limit pictures are refused at once, with the time to come back', async () => {
  const studio = await Studio.open({ threads: 1, queueLimit: 2 });
  await writeFile(studio.path('same.png'), small);
  signal(studio, 'SIGSTOP');
  const accepted = Array.from({ length: 3 }, () => studio.queue.process(studio.path('same.png')));
  await assert.rejects(studio.queue.process(studio.path('same.png')), (error: ServiceError) => {
    assert.equal(error.code, 'unavailable');
    assert.ok(error.retryAfter && error.retryAfter > 0);
    return true;
  });
  signal(studio, 'SIGCONT');
  assert.equal((await Promise.all(accepted)).length, 3);
  assert.equal((await studio.queue.process(studio.path('same.png'))).width, 20);
});

test('nobody waits in the queue for ever', async () => {
  const studio = await Studio.open({ threads: 1, timeoutMs: TIMEOUT_MS, waitMs: 100 });
  const guilty = studio.queue.process(hangingFile(studio, 'hanging'));
  await assert.rejects(studio.process('waiting.png', small), refusedAs('unavailable'));
  // Its second attempt waits for the new process, perhaps too long as well.
  await assert.rejects(guilty);
});

test('the process survives Ctrl-C and a polite end; the service decides', async () => {
  const studio = await Studio.open();
  const pid = signal(studio, 'SIGINT');
  signal(studio, 'SIGTERM');
  await studio.process('after.png', small);
  assert.equal(studio.queue.pid, pid);
});

test('close lets the work finish, takes no more, and leaves no process', async () => {
  const studio = await Studio.open();
  const { pid } = studio.queue;
  assert.ok(pid);
  const results = Array.from({ length: 6 }, (_, i) => studio.process(`${i}.jpg`, large));
  await Promise.race(results);
  const closed = studio.queue.close();
  assert.equal(studio.queue.ready(), false);
  await assert.rejects(studio.process('late.png', small), refusedAs('unavailable'));
  assert.equal((await Promise.all(results)).length, 6);
  await closed;
  assert.equal(await isRunning(pid), false);
});

test('close does not wait longer than its grace', async () => {
  const studio = await Studio.open();
  const { pid } = studio.queue;
  assert.ok(pid);
  const hanging = assert.rejects(
    studio.queue.process(hangingFile(studio, 'hanging')),
    refusedAs('unavailable'),
  );
  await studio.queue.close(50);
  await hanging;
  assert.equal(await isRunning(pid), false);
});

test('the process sees none of the secrets of the service, and goes first when memory runs out', async () => {
  process.env.IMGSTORE_SECRET_FOR_TEST = 'do not show';
  const { queue } = await Studio.open();
  const environment = await readFile(`/proc/${queue.pid}/environ`, 'utf8');
  assert.match(environment, /MALLOC_ARENA_MAX=2/);
  assert.doesNotMatch(environment, /IMGSTORE/);
  assert.equal((await readFile(`/proc/${queue.pid}/oom_score_adj`, 'utf8')).trim(), '500');
});
