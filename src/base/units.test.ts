import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs, hourMs, minuteMs, secondMs, toBytes, toMegabytes } from './units.js';

test('a megabyte has 1,048,576 bytes', () => {
  assert.equal(toBytes(1), 1_048_576);
  assert.equal(toMegabytes(1_048_576), 1);
  assert.equal(toBytes(0.001), 1_049);
});

test('megabytes with six decimals are exact to the byte', () => {
  assert.equal(toMegabytes(1), 0.000001);
  assert.equal(toMegabytes(1_600_000), 1.525879);
  for (const bytes of [0, 1, 2, 1_048_575, 1_048_577, 123_456_789]) {
    assert.equal(toBytes(toMegabytes(bytes)), bytes);
  }
});

test('time spans are in milliseconds, like differences between dates', () => {
  const since = (iso: string): number => Date.parse(iso) - Date.parse('2025-06-01T00:00:00Z');
  assert.equal(secondMs, since('2025-06-01T00:00:01Z'));
  assert.equal(minuteMs, since('2025-06-01T00:01:00Z'));
  assert.equal(hourMs, since('2025-06-01T01:00:00Z'));
  assert.equal(dayMs, since('2025-06-02T00:00:00Z'));
});
