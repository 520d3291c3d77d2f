import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DateTime } from 'luxon';
import { isoDay, WallClock, type TimeSpan } from './time.js';

const shown = (span: TimeSpan | undefined): string[] | undefined =>
  span && [span.from.toISOString(), span.to.toISOString()];

describe('days', () => {
  const days: [zone: string, day: string, from: string, to: string][] = [
    ['Asia/Seoul', '20250101', '2024-12-31T15:00:00.000Z', '2025-01-01T15:00:00.000Z'],
    ['America/New_York', '20250309', '2025-03-09T05:00:00.000Z', '2025-03-10T04:00:00.000Z'],
    ['America/New_York', '20241103', '2024-11-03T04:00:00.000Z', '2024-11-04T05:00:00.000Z'],
    // Here clocks go forward at midnight: the day begins at 01:00.
    ['Asia/Beirut', '20250330', '2025-03-29T22:00:00.000Z', '2025-03-30T21:00:00.000Z'],
    // Here they go back at 01:00: midnight comes twice.
    ['America/Havana', '20241103', '2024-11-03T04:00:00.000Z', '2024-11-04T05:00:00.000Z'],
    ['UTC', '20240229', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ];
  for (const [zone, day, from, to] of days) {
    test(`${day} in ${zone}`, () => {
      assert.deepEqual(shown(new WallClock(zone).day(day)), [from, to]);
    });
  }

  test('nonexistent days are rejected', () => {
    const clock = new WallClock('UTC');
    for (const text of ['20250229', '20251301', '2025010', '00000101', '20250101_000000', '']) {
      assert.equal(clock.day(text), undefined, text);
      assert.equal(isoDay(text), undefined, text);
    }
  });

  test('a calendar day needs no time zone', () => {
    // Samoa skipped this day.
    assert.equal(isoDay('20111230'), '2011-12-30');
    assert.equal(isoDay('00010101'), '0001-01-01');
  });
});

test('a second ends when the next one begins', () => {
  assert.deepEqual(shown(new WallClock('UTC').dayOrSecond('20250101_235959')), [
    '2025-01-01T23:59:59.000Z',
    '2025-01-02T00:00:00.000Z',
  ]);
});

test('a second that occurs twice spans from its first start to its last end', () => {
  assert.deepEqual(shown(new WallClock('America/New_York').dayOrSecond('20241103_013000')), [
    '2024-11-03T05:30:00.000Z',
    '2024-11-03T06:30:01.000Z',
  ]);
});

test('subtracting days keeps the time of day', () => {
  const clock = new WallClock('America/New_York');
  const before = clock.daysBefore(new Date('2025-03-10T16:00:00Z'), 2);
  assert.equal(before.toISOString(), '2025-03-08T17:00:00.000Z');
});

describe('times are those of the zone', () => {
  // Clock changes; some are not on a quarter of an hour.
  const changes: [zone: string, change: string][] = [
    ['Asia/Seoul', '1988-10-08T17:00:00Z'],
    ['America/New_York', '2026-11-01T06:00:00Z'],
    ['America/St_Johns', '2006-10-29T02:31:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
    ['Asia/Gaza', '2030-03-29T22:00:00Z'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z'],
    ['Africa/Monrovia', '1972-01-07T00:44:30Z'],
    ['UTC', '2026-01-01T00:00:00Z'],
  ];
  for (const [zone, change] of changes) {
    test(`in ${zone} around ${change}`, () => {
      const clock = new WallClock(zone);
      for (let second = -90_000; second <= 90_000; second += Math.abs(second) < 30 ? 1 : 450) {
        const time = new Date(Date.parse(change) + second * 1000 + 999);
        const expected = DateTime.fromJSDate(time, { zone }).toFormat('yyyyMMdd_HHmmss');
        assert.equal(clock.format(time), expected, time.toISOString());
      }
    });
  }
});
