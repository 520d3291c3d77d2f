import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBox } from './cells.js';

test('a box is four numbers, and costs what its length does', () => {
  assert.deepEqual(readBox('-1.5, +.5,2.,3'), { west: -1.5, south: 0.5, east: 2, north: 3 });
  const digits = '1'.repeat(1_000_000); // squared, it would take an hour
  for (const text of ['1,2,3', '1,2,3,.', '1,2,3,1e3', `${digits}x,2,3,4`])
    assert.equal(readBox(text), undefined);
});
