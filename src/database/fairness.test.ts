import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { keepCaller, currentCaller, runAsCaller } from './fairness.js';

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
