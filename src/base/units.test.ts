import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dayMs,
  hourMs,
  minuteMs,
  secondMs,
  toBytes,
  toMegabytes,
  counted,
  sizeText,
  spanText,
} from './units.js';

test('nouns agree with their counts', () => {
  assert.equal(counted(0, 'user'), '0 users');
  assert.equal(counted(1, 'user'), '1 user');
  assert.equal(counted(12_345, 'user'), '12,345 users');
  assert.equal(counted(2, 'copy', 'copies'), '2 copies');
});

test('sizes are shown in the unit that keeps them short', () => {
  for (const [bytes, text] of [
    [0, '0 bytes'],
    [1, '1 byte'],
    [1023, '1,023 bytes'],
    [1024, '1 KB'],
    [1536, '1.5 KB'],
    [150 * 1024 + 512, '151 KB'],
    [1024 ** 2 - 1, '1 MB'],
    [3.44 * 1024 ** 3, '3.4 GB'],
    [1024 ** 4, '1 TB'],
    [2048 * 1024 ** 5, '2,048 PB'],
  ] as const) {
    assert.equal(sizeText(bytes), text);
  }
});

test('spans are shown in their two largest units', () => {
  for (const [seconds, text] of [
    [0.2, 'less than a second'],
    [1, '1 second'],
    [61, '1 minute 1 second'],
    [3_600, '1 hour'],
    [3_659, '1 hour'],
    [7_260, '2 hours 1 minute'],
    [90_000, '1 day 1 hour'],
    [864_000, '10 days'],
  ] as const) {
    assert.equal(spanText(seconds), text);
  }
});

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
