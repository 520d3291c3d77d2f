import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minuteMs, secondMs } from '../../base/units.js';
import { Timetable } from './scheduler.js';

const at = (time: string): number => Date.parse(time);

/** Looks at the clock every 20 seconds, and writes down when jobs became due. */
function watch(table: Timetable<{ when: string }>, from: number, to: number): string[] {
  const seen: string[] = [];
  for (let now = from; now <= to; now += 20 * secondMs) {
    const time = new Date(now).toISOString().slice(5, 16);
    for (const { when } of table.due(now)) seen.push(`${when} at ${time}`);
  }
  return seen;
}

/** What becomes due between two instants, the first left out. */
function due(zone: string, jobs: readonly string[], from: string, to: string): string[] {
  const list = jobs.map((when) => ({ when }));
  return watch(new Timetable(list, zone, at(from)), at(from), at(to));
}

describe('a time of day', () => {
  const days: [what: string, zone: string, from: string, to: string, when: string, due: string][] =
    [
      // Clocks go back from 03:00 to 02:00, at 01:00 UTC.
      [
        'repeated',
        'Europe/Berlin',
        '2026-10-24T22:00Z',
        '2026-10-25T22:00Z',
        '37 2',
        '10-25T00:37',
      ],
      ['before', 'Europe/Berlin', '2026-10-24T22:00Z', '2026-10-25T22:00Z', '59 1', '10-24T23:59'],
      ['after', 'Europe/Berlin', '2026-10-24T22:00Z', '2026-10-25T22:00Z', '0 3', '10-25T02:00'],
      // Clocks go forward from 02:00 to 03:00, at 01:00 UTC.
      ['skipped', 'Europe/Berlin', '2026-03-28T22:00Z', '2026-03-29T22:00Z', '37 2', '03-29T01:00'],
      ['before', 'Europe/Berlin', '2026-03-28T22:00Z', '2026-03-29T22:00Z', '59 1', '03-29T00:59'],
      ['after', 'Europe/Berlin', '2026-03-28T22:00Z', '2026-03-29T22:00Z', '17 3', '03-29T01:17'],
      [
        'repeated',
        'America/New_York',
        '2026-11-01T04:00Z',
        '2026-11-02T04:00Z',
        '37 1',
        '11-01T05:37',
      ],
      [
        'skipped',
        'America/New_York',
        '2026-03-08T05:00Z',
        '2026-03-09T03:00Z',
        '37 2',
        '03-08T07:00',
      ],
      // Half an hour: from 02:00 to 01:30, and from 02:00 to 02:30.
      [
        'repeated',
        'Australia/Lord_Howe',
        '2026-04-04T13:00Z',
        '2026-04-05T13:00Z',
        '37 1',
        '04-04T14:37',
      ],
      [
        'before',
        'Australia/Lord_Howe',
        '2026-04-04T13:00Z',
        '2026-04-05T13:00Z',
        '17 1',
        '04-04T14:17',
      ],
      [
        'skipped',
        'Australia/Lord_Howe',
        '2026-10-03T13:30Z',
        '2026-10-04T12:30Z',
        '17 2',
        '10-03T15:30',
      ],
      [
        'after',
        'Australia/Lord_Howe',
        '2026-10-03T13:30Z',
        '2026-10-04T12:30Z',
        '37 2',
        '10-03T15:37',
      ],
    ];
  for (const [what, zone, from, to, when, time] of days) {
    test(`${what}: ${when} in ${zone}, once`, () => {
      assert.deepEqual(due(zone, [`${when} * * *`], from, to), [`${when} * * * at ${time}`]);
    });
  }

  test('that is repeated is due once, even if the service starts in between', () => {
    const between = ['2026-10-25T01:10Z', '2026-10-25T10:00Z'] as const;
    assert.deepEqual(due('Europe/Berlin', ['37 2 * * *'], ...between), []);
    assert.deepEqual(due('Europe/Berlin', ['0 3 * * *'], ...between), ['0 3 * * * at 10-25T02:00']);
  });
});

describe('jobs of every hour', () => {
  test('run in the repeated hour, as in any other', () => {
    const span = ['2026-10-24T23:59Z', '2026-10-25T02:01Z'] as const;
    assert.deepEqual(due('Europe/Berlin', ['2 * * * *', '*/30 * * * *'], ...span), [
      '*/30 * * * * at 10-25T00:00',
      '2 * * * * at 10-25T00:02',
      '*/30 * * * * at 10-25T00:30',
      '*/30 * * * * at 10-25T01:00',
      '2 * * * * at 10-25T01:02',
      '*/30 * * * * at 10-25T01:30',
      '*/30 * * * * at 10-25T02:00',
    ]);
    assert.equal(due('Europe/Berlin', ['* * * * *'], ...span).length, 122);
  });

  test('have no more runs for an hour that is skipped', () => {
    const span = ['2026-03-29T00:01Z', '2026-03-29T01:05Z'] as const;
    assert.deepEqual(due('Europe/Berlin', ['2 * * * *'], ...span), [
      '2 * * * * at 03-29T00:02',
      '2 * * * * at 03-29T01:02',
    ]);
  });
});

describe('when the clock jumps', () => {
  const jobs = ['* * * * *', '2 * * * *', '37 2 * * *'].map((when) => ({ when }));
  const begin = at('2026-07-01T02:30Z');
  const table = (): Timetable<{ when: string }> => new Timetable(jobs, 'UTC', begin);
  const names = (list: readonly { when: string }[]): string[] => list.map(({ when }) => when);

  test('a machine that slept catches up, each job once', () => {
    const slept = table();
    const woken = at('2026-07-09T08:00:30Z');
    assert.deepEqual(names(slept.due(woken)), names(jobs));
    assert.deepEqual(names(slept.due(woken + minuteMs)), ['* * * * *']);
    const wrong = new Timetable(jobs, 'UTC', at('-200000-01-01T00:00Z'));
    assert.deepEqual(names(wrong.due(woken)), names(jobs));
    const nap = table();
    assert.deepEqual(names(nap.due(at('2026-07-01T02:36:59Z'))), ['* * * * *']);
  });

  test('back by an hour: what is due every minute goes on, a time of day is not due again', () => {
    const set = table();
    set.due(at('2026-07-01T02:40Z'));
    const back = at('2026-07-01T01:40Z');
    assert.deepEqual(names(set.due(back)), ['* * * * *']);
    assert.deepEqual(
      watch(set, back, at('2026-07-02T02:38Z')).filter((line) => line.startsWith('37')),
      ['37 2 * * * at 07-02T02:37'],
    );
  });

  test('back by years: times of day are due as the clock now says', () => {
    const set = table();
    set.due(at('2026-07-01T02:40Z'));
    const back = at('2016-01-31T02:35Z');
    set.due(back);
    assert.deepEqual(
      watch(set, back, at('2016-01-31T02:40Z')).filter((line) => line.startsWith('37')),
      ['37 2 * * * at 01-31T02:37'],
    );
    const exactly = table();
    assert.deepEqual(names(exactly.due(at('2016-01-31T02:37Z'))), ['* * * * *', '37 2 * * *']);
  });

  test('a minute is due once, however often one looks', () => {
    const set = table();
    const minute = at('2026-07-01T02:37Z');
    const looks = [0, 1, 20_000, 59_999].map((later) => set.due(minute + later).length);
    assert.deepEqual(looks, [2, 0, 0, 0]);
  });
});
