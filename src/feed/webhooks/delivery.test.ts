import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourMs, minuteMs, secondMs } from '../../base/units.js';
import { waitAfter } from './delivery.js';

test('waits grow, vary by a fifth, and end after the last attempt', () => {
  const expected = [
    5 * secondMs,
    5 * minuteMs,
    30 * minuteMs,
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
  ];
  const waits = (random: number) => Array.from({ length: 10 }, (_, n) => waitAfter(n + 1, random));
  assert.deepEqual(waits(0.5), [...expected, undefined]);
  assert.deepEqual(waits(0), [...expected.map((ms) => ms * 0.8), undefined]);
  assert.deepEqual(waits(1), [...expected.map((ms) => ms * 1.2), undefined]);
});
