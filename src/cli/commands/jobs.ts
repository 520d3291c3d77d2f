import { didYouMean } from '../../base/text.js';
import { Argument, Option } from 'commander';
import type { DataSource } from 'typeorm';
import { wrongUsage } from '../../base/errors/operator.js';
import {
  jobNames,
  JobRecords,
  lastJobRuns,
  readJobRuns,
  wordOf,
  type JobRun,
} from '../../ops/job-runs.js';
import { commandLine } from '../../base/os/command-line.js';
import { agoText } from '../../base/units.js';
import type { Logger } from '../../base/telemetry/logger.js';
import type { Job } from '../../ops/jobs/scheduler.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants } from '../open.js';
import { utcText } from '../record-text.js';

const names = async (): Promise<string[]> => jobNames.map(wordOf);

export const command: CommandDetails = {
  commands: [
    {
      name: 'list',
      description: 'List the jobs: when each runs, and how it last ended',
      examples: ['jobs list'],
      run: listJobs,
    },
    {
      name: 'run',
      description: 'Run a job now, in this process; safe while the service is running',
      arguments: [new Argument('<name>', 'As "jobs list" shows it')],
      offers: { name: names },
      examples: ['jobs run "reclaim objects"', 'jobs run reclaim-objects'],
      run: runJob,
    },
    {
      name: 'history',
      description: 'Show the latest runs of the jobs, on whichever node, newest first',
      options: [new Option('--job <name>', 'Only runs of this job')],
      offers: { '--job': names },
      examples: ['jobs history', 'jobs history --job expire-trash --json'],
      run: showJobHistory,
    },
  ],
};

/** Runs `work` on the jobs that the settings enable. */
const withJobs = <T>(
  context: Context,
  work: (jobs: readonly Job[], db: DataSource, logger: Logger) => Promise<T>,
): Promise<T> =>
  withTenants(context, async ({ db, config, openStore }) => {
    const { createLogger } = await import('../../base/telemetry/logger.js');
    const { ownImaging } = await import('../../ops/jobs/own-imaging.js');
    const { scheduledJobs } = await import('../../ops/jobs/scheduled-jobs.js');
    const logger = createLogger({ level: 'warn', format: config['log.format'] });
    const openImaging = ownImaging(context.home, config, logger);
    const { home } = context;
    const parts = { db, store: await openStore(), config, home, logger, openImaging };
    return work(scheduledJobs(parts), db, logger);
  });

function find(jobs: readonly Job[], name: string): Job {
  const job = jobs.find((one) => wordOf(one.name) === wordOf(name));
  if (job) return job;
  const words = jobs.map((one) => wordOf(one.name));
  throw wrongUsage(`There is no job ${name}${didYouMean(wordOf(name), words) || '.'}`, {
    setting: 'name',
    remedy: commandLine('jobs', 'list'),
  });
}

async function listJobs(context: Context): Promise<void> {
  const document = await withJobs(context, async (jobs, db) => {
    const runs = await lastJobRuns(db);
    return jobs.map(({ name, when }) => {
      const last = runs.find(({ job }) => job === name);
      return { name, when, last: last ? recordOf(last) : null };
    });
  });
  context.ui.list({
    document: document.map(({ name, when, last }) => ({
      name,
      when,
      last_began_at: last?.began_at ?? null,
      last_ended_at: last?.ended_at ?? null,
      ms: last?.ms ?? null,
      error: last?.error ?? null,
    })),
    headers: ['JOB', 'WHEN', 'LAST RUN'],
    rows: document.map(({ name, when, last }) => [
      wordOf(name),
      when,
      last?.ended_at ? howOf(last.ended_at, last.error) : 'not yet',
    ]),
    none: 'The settings enable no jobs.',
  });
}

const howOf = (ended: string, error: string | null): string =>
  error === null ? `done ${agoText(ended)}` : `failed ${agoText(ended)}: ${error}`;

/** Runs a job in this process. If only one node may run it at a time, it waits for its turn. */
async function runJob(context: Context, { name }: { name: string }): Promise<void> {
  const { ui, interrupted } = context;
  const { noteAct } = await import('../../http/audit/acts.js');
  const document = await withJobs(context, async (jobs, db, logger) => {
    const { run, name: job } = find(jobs, name);
    await noteAct(db, { act: 'job.run', details: { job } });
    ui.progress(`Running: ${job}`);
    const { result = null, ms } = await new JobRecords(db, logger).recorded(job, interrupted, run);
    interrupted.throwIfAborted();
    return { job, ms: Math.round(ms), result };
  });
  const { job, ms, result } = document;
  const found = result === null || typeof result !== 'object' ? '' : `: ${JSON.stringify(result)}`;
  ui.result({ document, text: `Done: ${job}, in ${ms} ms${found}` });
}

async function showJobHistory(context: Context, { job }: { job?: string }): Promise<void> {
  const runs = await withTenants(context, ({ db }) => readJobRuns(db));
  const document = runs
    .filter((run) => job === undefined || wordOf(run.job) === wordOf(job))
    .map(recordOf);
  context.ui.list({
    document,
    headers: ['BEGAN (UTC)', 'JOB', 'RESULT'],
    rows: document.map(({ job: name, began_at: began, ms, error }) => [
      utcText(began),
      wordOf(name),
      ms === null
        ? 'running, or interrupted'
        : error === null
          ? `done in ${ms} ms`
          : `failed in ${ms} ms: ${error}`,
    ]),
    none: 'No job has run yet.',
  });
}

const recordOf = ({ job, beganAt, endedAt, error }: JobRun) => ({
  job,
  began_at: beganAt.toISOString(),
  ended_at: endedAt?.toISOString() ?? null,
  ms: endedAt && endedAt.getTime() - beganAt.getTime(),
  error,
});
