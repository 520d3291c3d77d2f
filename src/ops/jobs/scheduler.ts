import { createTask, parse } from 'node-cron';
import { v7 as uuidv7 } from 'uuid';
import { guarded } from '../../base/guarded.js';
import { runWithin } from '../../base/telemetry/context.js';
import type { Logger } from '../../base/telemetry/logger.js';
import { jobLastRun, jobLastSuccess, jobRuns, jobSeconds } from '../../base/telemetry/metrics.js';
import { WallClock } from '../../base/time.js';
import { minuteMs, secondMs } from '../../base/units.js';
import type { Maintenance } from '../../http/maintenance.js';
import type { JobRecords, JobRun } from '../job-runs.js';

export interface Job {
  readonly name: string;
  /** Cron expression in minutes, in the time zone of the scheduler; at least daily. */
  readonly when: string;
  /** Also run at each start, for what a crash has left. */
  readonly atStart?: boolean;
  /** Goes on in maintenance: it changes nothing that users have. */
  readonly inMaintenance?: true;
  /** Stops early, after the current step, when the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

interface Parts {
  readonly logger: Logger;
  readonly records?: JobRecords;
  /** The jobs that have run before: those that have become due since then run at once. */
  readonly ran?: readonly Pick<JobRun, 'job' | 'beganAt'>[];
  readonly maintenance?: Pick<Maintenance, 'isOn'>;
  /** The wall clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * How often it looks at the clock. A timer set for the next job would fire hours late if the clock
 * is set, or the machine sleeps.
 */
const lookMs = secondMs;

/**
 * Runs jobs on schedule. A job that is still running is not started again; errors are logged. In
 * maintenance, those that change something end early, and run when it is over.
 */
export class Scheduler {
  readonly #stopping = new AbortController();
  /** Aborted when maintenance begins, and then replaced. */
  #pausing = new AbortController();
  readonly #paused = new Set<Job>();
  readonly #running = new Map<Job, Promise<void>>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    jobs: readonly Job[],
    timezone: string,
    private readonly parts: Parts,
  ) {
    const { logger, now = Date.now, ran = [] } = parts;
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
      void this.#pauseOrResume();
    };
    this.#timer = setInterval(
      guarded((error) => logger.error('scheduling', { error }), look),
      lookMs,
    );
    for (const { name } of jobs) countNone(name);
    for (const job of jobs) {
      const last = ran.find((run) => run.job === job.name)?.beganAt.getTime();
      const isDue =
        last !== undefined && new Timetable([job], timezone, last).due(looked).length > 0;
      if (isDue || job.atStart) this.#start(job);
    }
  }

  /** Follows maintenance. */
  async #pauseOrResume(): Promise<void> {
    const isOn = (await this.parts.maintenance?.isOn()) === true;
    if (isOn) {
      this.#pausing.abort();
      this.#pausing = new AbortController();
      return;
    }
    const due = [...this.#paused];
    this.#paused.clear();
    for (const job of due) this.#start(job);
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

  async #run(job: Job): Promise<void> {
    const { logger, records, maintenance } = this.parts;
    const { name, inMaintenance } = job;
    const pause = this.#pausing.signal;
    if (!inMaintenance && (await maintenance?.isOn())) {
      this.#paused.add(job);
      return;
    }
    const signal = inMaintenance
      ? this.#stopping.signal
      : AbortSignal.any([this.#stopping.signal, pause]);
    const began = performance.now();
    try {
      const done = records ? await records.recorded(name, signal, job.run) : await job.run(signal);
      if (signal.aborted) return;
      logger.debug('job done', { result: done });
      countRun(name, performance.now() - began, 'ok');
    } catch (error) {
      logger.error('job failed', { job: name, error });
      countRun(name, performance.now() - began, 'failed');
    } finally {
      if (signal.aborted) this.#paused.add(job);
    }
  }

  /** Starts no further jobs, and waits for running ones. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#timer);
    await Promise.all(this.#running.values());
  }
}

/** Creates the series of a job that has not run yet. */
function countNone(job: string): void {
  for (const outcome of ['ok', 'failed']) jobRuns.of(job, outcome);
}

/** Counts a run of a job that has just ended. */
function countRun(job: string, ms: number, outcome: 'ok' | 'failed'): void {
  const now = Date.now() / secondMs;
  jobRuns.of(job, outcome).add();
  jobSeconds.of(job).set(ms / secondMs);
  jobLastRun.of(job).set(now);
  if (outcome === 'ok') jobLastSuccess.of(job).set(now);
}

const hoursOfDay = 24;

/** Longest time looked back at, in minutes: no job is due less often than daily. */
const day = hoursOfDay * 60;

/**
 * How far clocks are turned back at the most, in minutes. A clock that goes back further was wrong
 * before: its times of day come again.
 */
const repeatable = 3 * 60;

interface Entry<Job> {
  readonly job: Job;
  /** Whether the job is due at certain times of the day, not in every hour. */
  readonly daily: boolean;
  /** Whether it is due at a local minute. */
  readonly matches: (local: number) => boolean;
}

/**
 * Which jobs become due as time passes. Where clocks change, it works as in Debian's cron: jobs of
 * every hour follow the time that passes, without a pause in an hour that is repeated; a time of
 * day that is repeated is due once, and one that is skipped right afterwards. What became due while
 * the machine slept is due when it wakes up, once.
 *
 * Local minutes are counted as though the zone were UTC. node-cron matches times; its own schedule
 * leaves out the repeated hour.
 */
export class Timetable<Job extends { readonly when: string }> {
  readonly #entries: readonly Entry<Job>[];
  readonly #zone: WallClock;
  /** The last minute looked at. */
  #minute: number;
  /** The latest local minute looked at. */
  #local: number;

  /** @param now when it begins, in milliseconds. */
  constructor(jobs: readonly Job[], timezone: string, now: number) {
    this.#zone = new WallClock(timezone);
    this.#entries = jobs.map((job) => {
      const task = createTask(job.when, () => undefined, { timezone: 'UTC' });
      // It never runs; destroyed, node-cron forgets it.
      void task.destroy();
      const { minute, hour } = parse(job.when);
      return {
        job,
        daily: hour.length < hoursOfDay,
        // A match takes 0.1 ms, and a day has many minutes.
        matches: (local) =>
          minute.includes(local % 60) &&
          hour.includes(Math.floor(local / 60) % hoursOfDay) &&
          task.match(new Date(local * minuteMs)),
      };
    });
    this.#minute = Math.floor(now / minuteMs);
    // In an hour that is repeated, what was due the first time is not due after a restart.
    const before = minutes(this.#minute - repeatable, this.#minute);
    this.#local = Math.max(...before.map((minute) => this.#localAt(minute)));
  }

  /** The jobs that became due since the last call. */
  due(now: number): Job[] {
    const minute = Math.floor(now / minuteMs);
    if (minute === this.#minute) return [];
    const passed = minutes(minute > this.#minute ? this.#minute : minute - 1, minute);
    this.#minute = minute;
    const hourly = passed.map((one) => this.#localAt(one));
    const daily = this.#advance(this.#localAt(minute));
    return this.#entries
      .filter((entry) => (entry.daily ? daily : hourly).some((one) => entry.matches(one)))
      .map(({ job }) => job);
  }

  /** @returns the local minutes that have come for the first time, those skipped included. */
  #advance(local: number): number[] {
    if (local < this.#local - repeatable) this.#local = local - 1;
    const fresh = minutes(this.#local, local);
    this.#local = Math.max(this.#local, local);
    return fresh;
  }

  #localAt(minute: number): number {
    return Math.floor(this.#zone.asUtc(minute * minuteMs) / minuteMs);
  }
}

/** The minutes after one up to another; of a longer time, those of the last day. */
function minutes(after: number, to: number): number[] {
  const first = Math.max(after, to - day) + 1;
  return Array.from({ length: Math.max(0, to - first + 1) }, (_, index) => first + index);
}
