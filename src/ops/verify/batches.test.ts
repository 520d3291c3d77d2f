import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inBatches } from './batches.js';

async function batchesOf(keys: readonly string[], size: number): Promise<string[][]> {
  const listed = async function* () {
    for (const key of keys) yield await Promise.resolve({ key, bytes: 1 });
  };
  const batches: string[][] = [];
  for await (const batch of inBatches(listed(), size)) batches.push(batch.map(({ key }) => key));
  return batches;
}

test('objects of one folder stay together', async () => {
  assert.deepEqual(await batchesOf(['a/1', 'a/2', 'a/3', 'b/1', 'c/1', 'c/2', 'd/1'], 2), [
    ['a/1', 'a/2', 'a/3'],
    ['b/1', 'c/1', 'c/2'],
    ['d/1'],
  ]);
  assert.deepEqual(await batchesOf([], 2), []);
});

test('a large folder is split, so that a batch is at most twice as large', async () => {
  const keys = Array.from({ length: 10 }, (_, i) => `a/${i}`);
  assert.deepEqual(
    (await batchesOf(keys, 2)).map((batch) => batch.length),
    [4, 4, 2],
  );
});
