import type { Logger } from '../base/telemetry/logger.js';
import { entityOf, selectList, type RowOf } from '../database/columns.js';
import { rows, type Queryable } from '../database/sql.js';

/** Every scheduled job; settings can disable some of them. */
export const jobNames = [
  'reclaim objects',
  'roll up statistics',
  'sum up maps of platforms',
  'expire trash',
  'expire changes',
  'forget expired refresh tokens',
  'forget ended tokens and sessions',
  'forget old idempotency keys',
  'forget upload sets left open',
  'forget ended links',
  'expire uploads',
  'verify stored bytes',
  'verify logs',
  'read metadata',
  'forget old acts of administrators',
  'delete platforms',
  'finish large changes',
  'set legal holds',
  'make backup',
] as const;

export type JobName = (typeof jobNames)[number];

/** The name of a job as it is typed. */
export const wordOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

const runColumns = {
  job: { type: 'text', primary: true },
  beganAt: { name: 'began_at', type: 'timestamptz', primary: true },
  /** Null while it runs, and if it was interrupted. */
  endedAt: { name: 'ended_at', type: 'timestamptz', nullable: true },
  /** Why it failed, if it did. */
  error: { type: 'text', nullable: true },
} as const;

export const JobRunEntity = entityOf('job_runs', runColumns);

/** A run of a job, on whichever node. */
export type JobRun = Readonly<RowOf<typeof runColumns>>;

/** Recorded runs of each job. */
const runsPerJob = 20;

/** The recorded runs of all jobs, newest first. */
export const readJobRuns = (db: Queryable): Promise<JobRun[]> =>
  rows(db, `SELECT ${selectList(runColumns)} FROM job_runs ORDER BY began_at DESC, job`);

/** The last run of each job that has ended. */
export const lastJobRuns = (db: Queryable): Promise<(JobRun & { readonly endedAt: Date })[]> =>
  rows(
    db,
    `SELECT DISTINCT ON (job) ${selectList(runColumns)} FROM job_runs WHERE ended_at IS NOT NULL
     ORDER BY job, began_at DESC`,
  );

/** Forgets the oldest runs of the job, too. */
const beginRun = `
  WITH kept AS (
    SELECT began_at FROM job_runs WHERE job = $1 ORDER BY began_at DESC LIMIT ${runsPerJob - 1}
  ), gone AS (
    DELETE FROM job_runs WHERE job = $1 AND began_at NOT IN (SELECT began_at FROM kept)
  )
  INSERT INTO job_runs (job, began_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`;

const endRun = 'UPDATE job_runs SET ended_at = $3, error = $4 WHERE job = $1 AND began_at = $2';

/** Records the runs of the jobs of a service. A run that cannot be recorded runs all the same. */
export class JobRecords {
  constructor(
    private readonly db: Queryable,
    private readonly logger: Logger,
  ) {}

  /** Runs a job. A run that `signal` interrupts is left without an end. @throws what `run` throws. */
  async recorded(job: string, signal: AbortSignal, run: (signal: AbortSignal) => Promise<unknown>) {
    const at = new Date();
    const began = performance.now();
    const ended = async (error: string | null): Promise<number> => {
      const ms = performance.now() - began;
      const end = new Date(at.getTime() + ms);
      if (!signal.aborted) await this.#note(endRun, [job, at, end, error]);
      return ms;
    };
    await this.#note(beginRun, [job, at]);
    try {
      const result = await run(signal);
      return { result, ms: await ended(null) };
    } catch (error) {
      await ended(error instanceof Error ? error.message : 'unknown');
      throw error;
    }
  }

  async #note(sql: string, values: readonly unknown[]): Promise<void> {
    try {
      await rows(this.db, sql, values);
    } catch (error) {
      this.logger.warn('a run of a job cannot be recorded', { job: values[0], error });
    }
  }
}
