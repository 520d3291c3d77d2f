import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WallClock } from '../../../base/time.js';
import { takenAt } from './received.js';

const seoul = new WallClock('Asia/Seoul');
const at = (wallTime: string, offsetMinutes?: number): string | undefined =>
  takenAt(
    { taken: { wallTime, ...(offsetMinutes !== undefined && { offsetMinutes }) } },
    seoul,
  )?.toISOString();

test('a local time uses its offset, or the configured zone if it has none', () => {
  assert.equal(at('20240229_120000', -300), '2024-02-29T17:00:00.000Z');
  assert.equal(at('20240229_120000'), '2024-02-29T03:00:00.000Z');
  assert.equal(takenAt({}, seoul), null);
});

test('a time whose year is out of range, in UTC or the configured zone, is ignored', () => {
  // The first hours of year 1 in Seoul belong to the previous year in UTC.
  for (const [wallTime, offset] of [
    ['00010101_000000', 540],
    ['00010101_000000', undefined],
    ['99991231_235959', -720],
    ['99991231_200000', 0],
  ] as const) {
    assert.equal(at(wallTime, offset), undefined, wallTime);
  }
  assert.equal(at('00010102_000000', 540), '0001-01-01T15:00:00.000Z');
  assert.equal(at('99991231_235959'), '9999-12-31T14:59:59.000Z');
});
