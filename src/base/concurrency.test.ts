import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { forEachLimited, withDeadline, SharedRun } from './concurrency.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Ends when the signal aborts; nothing else references the signal. */
async function forEver(until: AbortSignal): Promise<never> {
  const aborted = once(until, 'abort');
  for (let ended = false; !ended; await setImmediate()) {
    collectGarbage();
    ended = until.aborted;
  }
  await aborted;
  throw until.reason;
}

test('work times out even if garbage is collected meanwhile', async () => {
  const { signal } = new AbortController();
  await assert.rejects(withDeadline(signal, 20, forEver), { name: 'TimeoutError' });
});

test('work is aborted with its signal; work that ends in time returns its result', async () => {
  const given = new AbortController();
  const ending = withDeadline(given.signal, 60_000, forEver);
  given.abort(new Error('no longer wanted'));
  await assert.rejects(ending, /no longer wanted/);
  const { signal } = new AbortController();
  assert.equal(await withDeadline(signal, 60_000, async () => 'done'), 'done');
});

/** Work that each test settles itself. */
function controlled() {
  const ends: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const shared = new SharedRun(
    () => new Promise<number>((resolve, reject) => ends.push({ resolve, reject })),
  );
  return { shared, ends };
}

const settled = () => setImmediate();

test('calls during a run share the next run, which begins after them', async () => {
  const { shared, ends } = controlled();
  const first = shared.run();
  await settled();
  const others = [shared.run(), shared.run(), shared.run()];
  await settled();
  assert.equal(ends.length, 1, 'one at a time');
  ends[0]?.resolve(1);
  assert.equal(await first, 1);
  await settled();
  assert.equal(ends.length, 2);
  ends[1]?.resolve(2);
  assert.deepEqual(await Promise.all(others), [2, 2, 2]);
});

test('a failure reaches the callers that share the run, and no later caller', async () => {
  const { shared, ends } = controlled();
  const first = shared.run();
  await settled();
  const next = shared.run();
  ends[0]?.reject(new Error('lost'));
  await assert.rejects(first, /lost/);
  await settled();
  ends[1]?.resolve(2);
  assert.equal(await next, 2);
});

test('work that throws synchronously fails like any other', async () => {
  let calls = 0;
  const shared = new SharedRun<number>(() => {
    calls += 1;
    if (calls === 1) throw new Error('broken');
    return Promise.resolve(calls);
  });
  await assert.rejects(shared.run(), /broken/);
  assert.equal(await shared.run(), 2);
});

test('every item is worked on, and no more at a time than the limit', async () => {
  const done: number[] = [];
  let [running, most] = [0, 0];
  await forEachLimited([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++running);
    await setImmediate();
    running -= 1;
    done.push(item);
  });
  assert.deepEqual([done, most], [[1, 2, 3, 4, 5], 2]);
  await forEachLimited([], 2, () => Promise.reject(new Error('of nothing')));
});

test('after a failure nothing new is started, and what runs is awaited', async () => {
  const [started, ended]: [number[], number[]] = [[], []];
  const work = forEachLimited([1, 2, 3, 4], 2, async (item) => {
    started.push(item);
    if (item === 1) throw new Error('the first one');
    await setImmediate();
    ended.push(item);
  });
  await assert.rejects(work, /the first one/);
  assert.ok(!started.includes(3) && !started.includes(4), `started: ${started.join()}`);
  assert.deepEqual(ended, started.slice(1));
});
