import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import winston from 'winston';
import { scheduledJobs } from '../../src/jobs/scheduled-jobs.js';
import type { JobParts } from '../../src/jobs/scheduled-jobs.js';
import { Scheduler } from '../../src/jobs/scheduler.js';
import { createLogger } from '../../src/telemetry/logger.js';

const rarely = '0 0 29 2 *';

function logging() {
  const lines = new PassThrough({ encoding: 'utf8' });
  const logger = createLogger({ level: 'info', format: 'json' });
  logger.clear().add(new winston.transports.Stream({ stream: lines }));
  return { lines, logger };
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
      { name: 'long', when: '* * * * * *', atStart: true, run },
      { name: 'ticker', when: '* * * * * *', run: ticker },
    ];
    const second = once(ticks, 'second');
    const scheduler = new Scheduler(jobs, 'Asia/Seoul', { logger });
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

const RealDate = Date;

/** Moves the wall clock of this process by this many milliseconds; timers are not affected. */
function setClock(aheadMs: number): void {
  globalThis.Date = class extends RealDate {
    constructor(...given: number[]) {
      if (given.length === 0) super(RealDate.now() + aheadMs);
      else super(...(given as [number]));
    }
    static override now(): number {
      return RealDate.now() + aheadMs;
    }
  } as DateConstructor;
}

describe('when the clock is changed', () => {
  const hourMs = 3_600_000;
  for (const [name, moves] of [
    ['back', [-hourMs]],
    ['ahead', [hourMs]],
    ['back for a moment', [-hourMs, 0]],
  ] as const) {
    test(`${name}: jobs continue to run`, async (t) => {
      t.after(() => (globalThis.Date = RealDate));
      const { logger } = logging();
      const ticks = new EventEmitter();
      const ticker = { name: 'ticker', when: '* * * * * *', run: async () => ticks.emit('tick') };
      const scheduler = new Scheduler([ticker], 'UTC', { logger });
      t.after(() => scheduler.stop());
      for (const move of moves) {
        await once(ticks, 'tick');
        setClock(move);
      }
      const signal = AbortSignal.timeout(180_000);
      for (let n = 0; n < 2; n += 1) await once(ticks, 'tick', { signal });
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
