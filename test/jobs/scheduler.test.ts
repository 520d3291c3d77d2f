import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import winston from 'winston';
import { scheduledJobs, type JobParts } from '../../src/ops/jobs/scheduled-jobs.js';
import { Scheduler } from '../../src/ops/jobs/scheduler.js';
import { createLogger } from '../../src/base/telemetry/logger.js';
import { minuteMs, secondMs } from '../../src/base/units.js';

const rarely = '0 0 29 2 *';

function logging() {
  const lines = new PassThrough({ encoding: 'utf8' });
  const logger = createLogger({ level: 'info', format: 'json' });
  logger.clear().add(new winston.transports.Stream({ stream: lines }));
  return { lines, logger };
}

/** A clock that goes on by a minute each time that it is looked at. */
function minutely() {
  let time = Date.parse('2026-07-01T00:00Z');
  return {
    now: (): number => (time += minuteMs),
    set: (aheadMs: number): void => void (time += aheadMs),
  };
}

describe('the scheduler', () => {
  test('does not start a job that is still running; stop aborts it, and waits', async () => {
    const { logger } = logging();
    let started = 0;
    let ended = 0;
    const ticks = new EventEmitter();
    let count = 0;
    const run = async (signal: AbortSignal) => {
      started += 1;
      await once(signal, 'abort');
      ended += 1;
    };
    const ticker = async () => void ((count += 1) === 2 && ticks.emit('second'));
    const jobs = [
      { name: 'long', when: '* * * * *', atStart: true, run },
      { name: 'ticker', when: '* * * * *', run: ticker },
    ];
    const second = once(ticks, 'second');
    const scheduler = new Scheduler(jobs, 'Asia/Seoul', { logger, now: minutely().now });
    await second;
    assert.deepEqual([started, ended], [1, 0]);
    await scheduler.stop();
    assert.deepEqual([started, ended], [1, 1]);
  });

  test('logs failed jobs', async () => {
    const { lines, logger } = logging();
    const run = async () => {
      throw new Error('no luck');
    };
    const job = { name: 'unlucky', when: rarely, atStart: true, run };
    const scheduler = new Scheduler([job], 'UTC', { logger });
    const [line] = (await once(lines, 'data')) as [string];
    await scheduler.stop();
    const { message, job: name, error } = JSON.parse(line) as Record<string, string>;
    assert.deepEqual([message, name], ['job failed', 'unlucky']);
    assert.match(error ?? '', /no luck/);
  });
});

/** A job that runs until it is told to end, and says when it begins and ends. */
function endless(name: string, said: EventEmitter, more: { inMaintenance?: true } = {}) {
  const run = async (signal: AbortSignal): Promise<void> => {
    said.emit('begins', name);
    if (!signal.aborted) await once(signal, 'abort');
    said.emit('ends', name);
  };
  return { name, when: rarely, atStart: true, run, ...more };
}

test('jobs pause for maintenance, unless they change nothing, and run when it is over', async () => {
  const { logger } = logging();
  const said = new EventEmitter();
  let on = false;
  const maintenance = { isOn: async () => on };
  const jobs = [endless('changes', said), endless('reads', said, { inMaintenance: true })];
  const seen: string[] = [];
  for (const word of ['begins', 'ends']) said.on(word, (name) => seen.push(`${name} ${word}`));
  const scheduler = new Scheduler(jobs, 'UTC', { logger, maintenance });
  await once(said, 'begins');
  on = true;
  await once(said, 'ends');
  on = false;
  await once(said, 'begins');
  assert.deepEqual(seen.sort(), [
    'changes begins',
    'changes begins',
    'changes ends',
    'reads begins',
  ]);
  await scheduler.stop();
});

test('a job that became due while no node was running runs at the start; another does not', async () => {
  const { logger } = logging();
  const said = new EventEmitter();
  const seen: string[] = [];
  said.on('begins', (name: string) => seen.push(name));
  const nightly = (name: string) => ({
    ...endless(name, said),
    when: '37 2 * * *',
    atStart: false,
  });
  const jobs = ['missed', 'done', 'new'].map(nightly);
  const now = (): number => Date.parse('2026-07-02T09:00Z');
  const ran = [
    { job: 'missed', beganAt: new Date('2026-07-01T02:37Z') },
    { job: 'done', beganAt: new Date('2026-07-02T02:37Z') },
  ];
  const scheduler = new Scheduler(jobs, 'UTC', { logger, now, ran });
  await scheduler.stop();
  assert.deepEqual(seen, ['missed']);
});

describe('when the clock is set', () => {
  const hourMs = 3_600_000;
  for (const [name, moves] of [
    ['back', [-hourMs]],
    ['ahead', [hourMs]],
    ['back for a moment', [-hourMs, hourMs]],
  ] as const) {
    test(`${name}: jobs continue to run, and the log says so`, async (t) => {
      const { lines, logger } = logging();
      const ticks = new EventEmitter();
      const ticker = { name: 'ticker', when: '* * * * *', run: async () => ticks.emit('tick') };
      const clock = minutely();
      const scheduler = new Scheduler([ticker], 'UTC', { logger, now: clock.now });
      t.after(() => scheduler.stop());
      for (const move of moves) {
        await once(ticks, 'tick');
        clock.set(move);
        const [line] = (await once(lines, 'data')) as [string];
        const { level, message, aheadMs } = JSON.parse(line) as Record<string, unknown>;
        assert.deepEqual(
          [level, message, aheadMs],
          ['warn', 'the clock was set, or the machine stood still', move + minuteMs - secondMs],
        );
      }
      for (let n = 0; n < 2; n += 1) await once(ticks, 'tick');
    });
  }
});

test('keeps the trash forever when retention is 0', () => {
  const names = (days: number): string[] => {
    const parts = { config: { timezone: 'UTC', 'trash.retention_days': days } } as JobParts;
    return scheduledJobs(parts).map(({ name }) => name);
  };
  assert.ok(names(30).includes('expire trash'));
  assert.ok(!names(0).includes('expire trash'));
});
