import { schedule } from 'node-cron';
import type { DataSource } from 'typeorm';
import { deleteExpiredRefreshTokens } from '../auth/queries.js';
import { forgetOldWalks } from '../images/walks.js';
import type { ObjectStore } from '../store/port.js';
import type { Logger } from '../telemetry/logger.js';
import { reclaimOnce } from './reclaim.js';

interface Job {
  readonly name: string;
  /** Cron expression. */
  readonly when: string;
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/** Starts the scheduled jobs. A job that still runs is not started again. */
export function startJobs(parts: { db: DataSource; store: ObjectStore; logger: Logger }) {
  const { db, store, logger } = parts;
  const jobs: Job[] = [
    {
      name: 'reclaim objects',
      when: '* * * * *',
      run: (signal) => reclaimOnce({ dataSource: db, store, signal }),
    },
    {
      name: 'forget expired refresh tokens',
      when: '17 3 * * *',
      run: () => deleteExpiredRefreshTokens(db),
    },
    {
      name: 'forget old walks through lists',
      when: '*/10 * * * *',
      run: () => forgetOldWalks(db),
    },
  ];
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  const start = (job: Job): Promise<void> => {
    const run = job
      .run(stopping.signal)
      .then(() => undefined)
      .catch((error: unknown) => logger.error('job failed', { job: job.name, error }))
      .finally(() => running.delete(run)) as Promise<void>;
    running.add(run);
    return run;
  };
  const tasks = jobs.map((job) =>
    schedule(job.when, () => start(job), { name: job.name, noOverlap: true }),
  );

  return {
    stop: async (): Promise<void> => {
      stopping.abort();
      for (const task of tasks) await task.destroy();
      await Promise.all(running);
    },
  };
}
