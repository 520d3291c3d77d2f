import { schedule } from 'node-cron';
import type { ScheduledTask } from 'node-cron';
import { guarded } from '../guard.js';
import type { Logger } from '../telemetry/logger.js';
import { watchClock } from './clock-watch.js';

export interface Job {
  readonly name: string;
  /** Cron expression, in the time zone of the scheduler. */
  readonly when: string;
  /** Run once right away too, for what was due while nobody served. */
  readonly atStart?: boolean;
  /** Ends early, after what it is at, when the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/** Runs jobs at their times. A job that still runs is not started again; its errors are logged. */
export class Scheduler {
  readonly #stopping = new AbortController();
  readonly #running = new Map<Job, Promise<void>>();
  readonly #clock: ReturnType<typeof watchClock>;
  #tasks: ScheduledTask[];

  constructor(
    private readonly jobs: readonly Job[],
    private readonly timezone: string,
    private readonly logger: Logger,
  ) {
    this.#tasks = this.#schedule();
    this.#clock = watchClock((aheadMs) => {
      logger.warn('the clock was set; scheduling the jobs anew', { aheadMs });
      this.#unschedule();
      this.#tasks = this.#schedule();
    });
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
          // Times that a sleeping machine misses come again; nobody needs a line about each.
          suppressMissedWarning: true,
        },
      ),
    );
  }

  /** Takes effect at once: what tasks in this process answer has no work left to wait for. */
  #unschedule(): void {
    for (const task of this.#tasks) void task.destroy();
  }

  #start(job: Job): void {
    const { signal } = this.#stopping;
    if (signal.aborted || this.#running.has(job)) return;
    const run = job
      .run(signal)
      .then((result) => void this.logger.debug('job done', { job: job.name, result }))
      .catch((error: unknown) => this.#failed(job, error))
      .finally(() => this.#running.delete(job));
    this.#running.set(job, run);
  }

  #failed(job: Job, error: unknown): void {
    this.logger.error('job failed', { job: job.name, error });
  }

  /** Starts nothing more, and waits for what runs. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#clock.stop();
    this.#unschedule();
    await Promise.all(this.#running.values());
  }
}
