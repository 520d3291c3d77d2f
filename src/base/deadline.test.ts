import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setImmediate } from 'node:timers/promises';
import { withDeadline } from './concurrency.js';

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
