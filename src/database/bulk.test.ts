import assert from 'node:assert/strict';
import { test } from 'node:test';
import { v4 as uuid } from 'uuid';
import { PackedIds } from './bulk.js';

test('ids are returned unchanged, in slices', () => {
  const ids = Array.from({ length: 25 }, () => uuid());
  const packed = new PackedIds(Buffer.from(ids.join('').replaceAll('-', ''), 'hex'));
  assert.equal(packed.length, 25);
  const slices = [...packed.slices(4)];
  assert.deepEqual(slices.flat(), ids);
  assert.ok(slices.every(({ length }) => length >= 1 && length <= 4));
});
