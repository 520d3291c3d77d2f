import { schedule } from 'node-cron';
import type { ScheduledTask } from 'node-cron';
import { v7 as uuidv7 } from 'uuid';
import { guarded } from '../guarded.js';
import { runWithin } from '../telemetry/context.js';
import type { Logger } from '../telemetry/logger.js';
import { watchClock } from './clock-watch.js';
import { countNone, countRun } from './job-metrics.js';
import type { JobRecords } from './job-records.js';

export interface Job {
  readonly name: string;
  /** Cron expression, in the time zone of the scheduler. */
  readonly when: string;
  /** Also run once at startup, for what became due while the service was down. */
  readonly atStart?: boolean;
  /** Stops early, after the current step, when the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/** Runs jobs on schedule. A job that is still running is not started again; errors are logged. */
export class Scheduler {
  readonly #stopping = new AbortController();
  readonly #running = new Map<Job, Promise<void>>();
  readonly #clock: ReturnType<typeof watchClock>;
  #tasks: ScheduledTask[];

  constructor(
    private readonly jobs: readonly Job[],
    private readonly timezone: string,
    private readonly parts: { readonly logger: Logger; readonly records?: JobRecords },
  ) {
    const { logger } = parts;
    this.#tasks = this.#schedule();
    const reschedule = (aheadMs: number): void => {
      logger.warn('the clock was set; rescheduling the jobs', { aheadMs });
      this.#unschedule();
      this.#tasks = this.#schedule();
    };
    this.#clock = watchClock(reschedule, (error) => logger.error('scheduling', { error }));
    for (const { name } of jobs) countNone(name);
    for (const job of jobs) if (job.atStart) this.#start(job);
  }

  #schedule(): ScheduledTask[] {
    return this.jobs.map((job) =>
      schedule(
        job.when,
        guarded(
          (error) => this.#failed(job, error),
          () => this.#start(job),
        ),
        {
          name: job.name,
          timezone: this.timezone,
          // Times missed while the machine slept are caught up; that needs no log line each.
          suppressMissedWarning: true,
        },
      ),
    );
  }

  /** Takes effect at once: in-process tasks return no promise worth waiting for. */
  #unschedule(): void {
    for (const task of this.#tasks) void task.destroy();
  }

  #start(job: Job): void {
    const { signal } = this.#stopping;
    if (signal.aborted || this.#running.has(job)) return;
    const { logger, records } = this.parts;
    const began = performance.now();
    const work = (): Promise<void> =>
      job
        .run(signal)
        .then((result) => {
          const ms = performance.now() - began;
          logger.debug('job done', { result });
          countRun(job.name, ms, 'ok');
          records?.record(job.name, ms);
        })
        .catch((error: unknown) => {
          const ms = performance.now() - began;
          this.#failed(job, error);
          countRun(job.name, ms, 'failed');
          records?.record(job.name, ms, error);
        })
        .finally(() => this.#running.delete(job));
    // Each run has an id, as each request has: its entries in the log belong together.
    const run = runWithin({ logged: { id: uuidv7(), job: job.name } }, work);
    this.#running.set(job, run);
  }

  #failed(job: Job, error: unknown): void {
    this.parts.logger.error('job failed', { job: job.name, error });
  }

  /** Starts no further jobs, and waits for running ones. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#clock.stop();
    this.#unschedule();
    await Promise.all(this.#running.values());
    await this.parts.records?.settled();
  }
}
