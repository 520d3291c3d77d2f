import { v7 as uuidv7 } from 'uuid';
import { guarded } from '../../base/guarded.js';
import { runWithin } from '../../base/telemetry/context.js';
import type { Logger } from '../../base/telemetry/logger.js';
import { minuteMs, secondMs } from '../../base/units.js';
import { countNone, countRun } from './job-metrics.js';
import type { JobRecords } from './job-records.js';
import { Timetable } from './timetable.js';

export interface Job {
  readonly name: string;
  /** Cron expression in minutes, in the time zone of the scheduler; at least daily. */
  readonly when: string;
  /** Also run once at startup, for what became due while the service was down. */
  readonly atStart?: boolean;
  /** Stops early, after the current step, when the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

interface Parts {
  readonly logger: Logger;
  readonly records?: JobRecords;
  /** The wall clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * How often it looks at the clock. A timer set for the next job would fire hours late if the clock
 * is set, or the machine sleeps.
 */
const lookMs = secondMs;

/** Runs jobs on schedule. A job that is still running is not started again; errors are logged. */
export class Scheduler {
  readonly #stopping = new AbortController();
  readonly #running = new Map<Job, Promise<void>>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    jobs: readonly Job[],
    timezone: string,
    private readonly parts: Parts,
  ) {
    const { logger, now = Date.now } = parts;
    let looked = now();
    const timetable = new Timetable(jobs, timezone, looked);
    const look = (): void => {
      const time = now();
      const aheadMs = time - looked - lookMs;
      looked = time;
      if (Math.abs(aheadMs) > minuteMs) {
        logger.warn('the clock was set, or the machine stood still', { aheadMs });
      }
      for (const job of timetable.due(time)) this.#start(job);
    };
    this.#timer = setInterval(
      guarded((error) => logger.error('scheduling', { error }), look),
      lookMs,
    );
    for (const { name } of jobs) countNone(name);
    for (const job of jobs) if (job.atStart) this.#start(job);
  }

  #start(job: Job): void {
    const { signal } = this.#stopping;
    if (signal.aborted || this.#running.has(job)) return;
    // Each run has an id, as each request has: its entries in the log belong together.
    const run = runWithin({ logged: { id: uuidv7(), job: job.name } }, () => this.#run(job));
    this.#running.set(
      job,
      run.finally(() => this.#running.delete(job)),
    );
  }

  async #run({ name, run }: Job): Promise<void> {
    const { logger, records } = this.parts;
    const began = performance.now();
    try {
      const result = await run(this.#stopping.signal);
      const ms = performance.now() - began;
      logger.debug('job done', { result });
      countRun(name, ms, 'ok');
      records?.record(name, ms);
    } catch (error) {
      const ms = performance.now() - began;
      logger.error('job failed', { job: name, error });
      countRun(name, ms, 'failed');
      records?.record(name, ms, error);
    }
  }

  /** Starts no further jobs, and waits for running ones. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#timer);
    await Promise.all(this.#running.values());
    await this.parts.records?.settled();
  }
}
