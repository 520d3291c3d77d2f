import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { constants, getPriority } from 'node:os';
import { basename } from 'node:path';
import { test } from 'node:test';
import type { ServiceError } from '../../src/base/errors/catalogue.js';
import type { ImagingOptions } from '../../src/imaging/start.js';
import { pngInterlaced, pngOfSize } from '../../testkit/bombs.js';
import { eventually } from '../../testkit/eventually.js';
import { isRunning, killNow, readerOf } from '../../testkit/processes.js';
import { outcomeOf } from '../../workers/refused.js';
import { gullible, noise, plain, refusedAs, Studio } from './support.js';

const pictureTimeoutMs = 600;
const surveyor = gullible;
const small = await plain(20, 20, [1, 2, 3]).png().toBuffer();
const width = 1600;
const large = await noise(width, 1200).jpeg().toBuffer();

/** 900 megapixels, which take longer than half a second on any machine. */
const slow = pngOfSize(30_000, 30_000);
const maxPixels = 1e9;

/** A picture on which every decoder hangs without using CPU: a pipe that nobody writes to. */
function hang(studio: Studio, name: string) {
  execFileSync('mkfifo', [studio.path(name)]);
  return studio.processFile(name);
}

function signal(studio: Studio, name: NodeJS.Signals): number {
  const { pid } = studio;
  process.kill(pid, name);
  return pid;
}

test('kill -9 with eight images in progress loses none', async () => {
  const studio = await Studio.open();
  const results = Array.from({ length: 8 }, (_, i) => studio.process(`${i}.jpg`, large));
  await Promise.race(results);
  const killed = signal(studio, 'SIGKILL');
  for (const image of await Promise.all(results)) assert.equal(image.width, width);
  assert.ok(!studio.queue.pids.includes(killed));
  assert.equal((await studio.process('next.png', small)).width, 20);
  assert.equal(studio.queue.ready(), true);
});

test('an image that kills two processes is rejected for good; its neighbors are not', async () => {
  const studio = await Studio.open({ maxPixels });
  const guilty = assert.rejects(studio.process('guilty', slow), refusedAs('corrupt_image'));
  for (let death = 1; death <= 2; death++) {
    const reader = await readerOf(studio.path('guilty'), () => studio.queue.pids);
    // In a separate process, which is not affected.
    const neighbour = studio.process(`neighbour-${death}`, large);
    killNow(reader);
    assert.equal((await neighbour).width, width);
  }
  await guilty;
  assert.deepEqual(await studio.outputsOf('guilty'), []);
  const { pids } = studio.queue;
  await assert.rejects(studio.processFile('guilty'), refusedAs('corrupt_image'));
  assert.deepEqual(studio.queue.pids, pids);
});

test('an image on which every decoder stalls is too complex, for good; the others continue', async () => {
  const studio = await Studio.open({ inspector: surveyor, timeoutMs: pictureTimeoutMs });
  const { pid } = studio;
  const guilty = assert.rejects(hang(studio, 'hanging'), refusedAs('image_too_complex'));
  assert.equal((await studio.process('other.png', small)).width, 20);
  await guilty;
  assert.equal(studio.queue.pids.includes(pid), false);
  const { pids } = studio.queue;
  await assert.rejects(studio.processFile('hanging'), refusedAs('image_too_complex'));
  assert.deepEqual(studio.queue.pids, pids, 'nothing was decoded again');
  assert.equal((await studio.process('next.png', small)).width, 20);
  assert.ok(!(await readdir(studio.dir)).some((name) => name.startsWith('probe-')));
});

test('an image that stalls is unavailable if no other process can tell whether it is at fault', async () => {
  const studio = await Studio.open({ inspector: surveyor, timeoutMs: pictureTimeoutMs });
  const { execPath } = process;
  const { pid } = studio;
  const patient = assert.rejects(hang(studio, 'patient'), refusedAs('unavailable'));
  const isSecond = (): boolean => studio.queue.pids.some((other) => other !== pid);
  await eventually('a second process takes it', isSecond);
  try {
    process.execPath = '/nonexistent/node';
    await patient;
  } finally {
    process.execPath = execPath;
  }
});

test('an image whose inspections take too long is too complex, for good, unless those of others do', async () => {
  let works = true;
  const asked: string[] = [];
  const inspector: NonNullable<ImagingOptions['inspector']> = {
    ...gullible,
    inspect: async (path) => {
      asked.push(basename(path));
      if (path.includes('endless')) return { kind: 'stalled', reason: 'too long' };
      return gullible.inspect(path);
    },
    works: async () => works,
  };
  const studio = await Studio.open({ inspector });
  const refused = (name: string, code: ServiceError['code']) =>
    assert.rejects(studio.process(name, small), refusedAs(code));
  await refused('endless', 'image_too_complex');
  await refused('endless', 'image_too_complex');
  assert.deepEqual(asked, ['endless', 'endless'], 'two attempts, and then none');
  works = false;
  await refused('endless on a bad disk', 'unavailable');
  works = true;
  await refused('endless on a bad disk', 'image_too_complex');
  assert.equal((await studio.process('next.png', small)).width, 20);
});

test('a stalled process is replaced, and the image decoded in another one', async () => {
  const studio = await Studio.open({ timeoutMs: pictureTimeoutMs });
  const stopped = signal(studio, 'SIGSTOP');
  assert.equal((await studio.process('patient.png', small)).width, 20);
  assert.equal(studio.queue.pids.includes(stopped), false);
});

test('an unexpected error of an inspection or a decoder is the fault of the image', () => {
  for (const error of [new RangeError('out of bounds'), new TypeError('undefined'), 'thrown']) {
    const outcome = outcomeOf(error);
    assert.equal(outcome.kind === 'refused' && outcome.code, 'unsupported_image');
  }
  const broken = Object.assign(new Error('EIO'), { code: 'EIO', errno: -5, syscall: 'read' });
  assert.equal(outcomeOf(broken).kind, 'failed');
});

test('an image that takes too much CPU time is too complex, immediately and for good', async () => {
  const studio = await Studio.open({ timeoutMs: 500, maxPixels });
  const before = studio.pid;
  const refused = assert.rejects(studio.process('slow', slow), refusedAs('image_too_complex'));
  assert.equal((await studio.process('other.png', small)).width, 20);
  await refused;
  assert.deepEqual(await studio.outputsOf('slow'), []);
  const { pids } = studio.queue;
  assert.ok(!pids.includes(before), 'its process is gone');
  await assert.rejects(studio.processFile('slow'), refusedAs('image_too_complex'));
  assert.deepEqual(studio.queue.pids, pids);
});

test('an image that takes far more memory than estimated is too complex', async () => {
  const studio = await Studio.open({ inspector: surveyor, maxPixels, memoryBytes: 1 });
  // The whole image must be in memory: 225 megabytes.
  const file = pngInterlaced(15_000);
  await assert.rejects(studio.process('large.png', file), refusedAs('image_too_complex'));
  assert.equal((await studio.process('next.png', small)).width, 20);
});

test('waiting in the queue times out', async () => {
  const studio = await Studio.open({ inspector: surveyor, threads: 1, waitMs: 300 });
  const guilty = ['one', 'two'].map((name) => hang(studio, name));
  void Promise.allSettled(guilty);
  await assert.rejects(Promise.race(guilty), refusedAs('unavailable'));
});

test('the process survives Ctrl-C and SIGTERM; the service decides', async () => {
  const studio = await Studio.open();
  const pid = signal(studio, 'SIGINT');
  signal(studio, 'SIGTERM');
  await studio.process('after.png', small);
  assert.equal(studio.pid, pid);
  // A terminal sends Ctrl-C to the whole group, to what wraps the process as well.
  const field = (name: string, of: number): string =>
    execFileSync('ps', ['-o', `${name}=`, '-p', String(of)], { encoding: 'utf8' }).trim();
  for (let one = pid; one !== process.pid; one = Number(field('ppid', one))) {
    assert.notEqual(field('pgid', one), field('pgid', process.pid), field('args', one));
  }
});

test('close lets running work finish, accepts no more, and leaves no process', async () => {
  const studio = await Studio.open();
  const results = Array.from({ length: 6 }, (_, i) => studio.process(`${i}.jpg`, large));
  await Promise.race(results);
  const { pids } = studio.queue;
  const closed = studio.queue.close();
  assert.equal(studio.queue.ready(), false);
  await assert.rejects(studio.process('late.png', small), refusedAs('unavailable'));
  assert.equal((await Promise.all(results)).length, 6);
  await closed;
  for (const pid of pids) assert.equal(await isRunning(pid), false);
});

test('close does not wait longer than its grace period', async () => {
  const studio = await Studio.open({ inspector: surveyor });
  const { pid } = studio;
  const refused = assert.rejects(hang(studio, 'hanging'), refusedAs('unavailable'));
  await studio.queue.close(50);
  await refused;
  assert.equal(await isRunning(pid), false);
});

test('the process cannot see the secrets of the service, and is killed first when memory runs out', async () => {
  const secret = 'IMGSTORE_TEST_DATABASE_URL';
  assert.ok(process.env[secret], 'this process has one');
  const { pid } = await Studio.open();
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
  assert.match(environment, /MALLOC_ARENA_MAX=2/);
  assert.doesNotMatch(environment, /IMGSTORE/);
  assert.equal((await readFile(`/proc/${pid}/oom_score_adj`, 'utf8')).trim(), '500');
});

test('the service has priority over all threads of a process, and over its session', async () => {
  const { pid } = await Studio.open();
  const threads = await readdir(`/proc/${pid}/task`);
  const priorities = threads.map((thread) => getPriority(Number(thread)));
  const lower = Math.max(constants.priority.PRIORITY_BELOW_NORMAL, getPriority());
  assert.deepEqual([...new Set(priorities)], [lower]);
  // Not every kernel has it.
  const session = await readFile(`/proc/${pid}/autogroup`, 'utf8').catch(() => 'nice 10');
  assert.match(session, /nice 10$/m);
});
