import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { guestsOf } from '../base/callers.js';
import { currentCaller } from '../base/telemetry/context.js';
import { keepCaller, runAsCaller, FairSemaphore, type SemaphoreLimits } from './fairness.js';

async function* callers() {
  for (let n = 0; n < 3; n += 1) {
    yield `${currentCaller()}`;
    await turn();
  }
}

test('the caller follows everything that is awaited', async () => {
  const seen = await runAsCaller('a', async () => {
    await turn();
    return [currentCaller(), await runAsCaller('b', async () => currentCaller())];
  });
  assert.deepEqual([...seen, currentCaller()], ['a', 'b', undefined]);
});

test('the reads of a stream count toward the caller that it is for', async () => {
  const stream = runAsCaller('a', () => Readable.from(keepCaller(callers())));
  const seen = await runAsCaller('b', () => stream.toArray());
  assert.deepEqual(seen, ['a', 'a', 'a']);
});

const turns = (limits: Partial<SemaphoreLimits> = {}) =>
  new FairSemaphore({ total: 16, perCaller: 4, waiting: 100, waitMs: 2_000, ...limits });

/** Requests this many slots at once. @returns the callers in the order in which they are served. */
function ask(fair: FairSemaphore, served: string[], name: string, times: number): void {
  for (let n = 0; n < times; n += 1) {
    const wait = fair.acquire(name);
    if (wait) wait.then(() => served.push(name)).catch(() => undefined);
    else served.push(name);
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a caller is limited to its share, and others find free slots', () => {
  const fair = turns();
  const served: string[] = [];
  ask(fair, served, 'busy', 50);
  assert.equal(served.length, 4);
  ask(fair, served, 'other', 2);
  assert.equal(served.length, 6);
});

test('who only bears a link has a quarter of a share, which is not the share of its owner', () => {
  const fair = turns({ perCaller: 8, total: 64 });
  const served: string[] = [];
  ask(fair, served, guestsOf('owner'), 50);
  assert.equal(served.length, 2);
  ask(fair, served, 'owner', 50);
  assert.equal(served.length, 10);
});

test('the next caller finds a slot even if many callers take all they may', () => {
  const fair = turns();
  const served: string[] = [];
  for (let n = 0; n < 5; n += 1) ask(fair, served, `busy ${n}`, 50);
  assert.ok(served.length >= 13 && served.length < 16, `${served.length} of 16`);
  assert.equal(fair.acquire('next'), undefined);
});

test('when many callers have taken all, the next slot goes to one who holds none', async () => {
  const fair = turns();
  const served: string[] = [];
  for (let n = 0; n < 40; n += 1) ask(fair, served, `busy ${n}`, 50);
  assert.equal(served.length, 16);
  const first = served.length;
  ask(fair, served, 'next', 3);
  for (let n = 0; n < 40 && !served.includes('next'); n += 1) {
    fair.release(served[n] ?? '');
    await settle();
  }
  const holding = new Set(served.slice(0, first));
  const since = served.slice(first, served.indexOf('next') + 1);
  assert.ok(
    since.every((name) => !holding.has(name)),
    since.join(),
  );
});

test('waiting callers are served round-robin, no matter how often each has asked', async () => {
  const fair = turns({ total: 1, perCaller: 1 });
  const served: string[] = [];
  ask(fair, served, 'a', 4);
  ask(fair, served, 'b', 2);
  ask(fair, served, 'c', 1);
  for (let n = 0; n < 6; n += 1) {
    fair.release(served.at(-1) ?? '');
    await settle();
  }
  assert.deepEqual(served.slice(0, 4).sort(), ['a', 'a', 'b', 'c']);
  assert.equal(served.length, 7);
});

test('a caller that waits for too many slots, or too long, is rejected; others are not', async () => {
  const fair = turns({ total: 3, perCaller: 1, waiting: 1, waitMs: 20 });
  void fair.acquire('a');
  const late = fair.acquire('a');
  assert.throws(() => fair.acquire('a'), { code: 'unavailable', retryAfter: 2 });
  assert.equal(fair.acquire('b'), undefined);
  await assert.rejects(async () => late, { code: 'unavailable' });
  fair.release('a');
  assert.equal(fair.acquire('a'), undefined);
  fair.release('a');
  assert.throws(() => fair.release('a'));
});
