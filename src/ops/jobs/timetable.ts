import { createTask, parse } from 'node-cron';
import { WallClock } from '../../base/time.js';
import { minuteMs } from '../../base/units.js';

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
