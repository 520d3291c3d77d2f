import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallImages, tableOf } from '../../bench/harness/table.js';

const usersOf = (rows: number): number[] => {
  const { largest, others } = tableOf(rows);
  return largest <= smallImages ? [largest, ...others] : [largest, smallImages, ...others];
};

test('a table has the requested number of images, about 10,100 for each user', () => {
  for (const rows of [10_000, 50_000, 100_000, 1_000_000, 10_000_000]) {
    const sum = usersOf(rows).reduce((total, images) => total + images, 0);
    assert.ok(Math.abs(sum - rows) <= smallImages, `${rows}: ${sum}`);
  }
  assert.equal(
    usersOf(10_000_000).reduce((total, images) => total + images, 0),
    10_000_000,
  );
  assert.equal(usersOf(10_000_000).length, 892);
  assert.deepEqual(usersOf(10_000), [10_000]);
  assert.deepEqual(usersOf(500), [500]);
});
