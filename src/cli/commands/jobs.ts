import { readFile } from 'node:fs/promises';
import { didYouMean } from '../../base/text.js';
import { Argument, Option } from 'commander';
import { wrongUsage } from '../../base/errors/operator.js';
import { type JobRecord, wordOf } from '../../ops/jobs/records.js';
import { commandLine } from '../../base/os/command-line.js';
import { agoText } from '../../base/units.js';
import type { Job } from '../../ops/jobs/scheduler.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants } from '../open.js';
import { utcText } from '../record-text.js';

const names = async (): Promise<string[]> => {
  const { jobNames, wordOf } = await import('../../ops/jobs/records.js');
  return jobNames.map(wordOf);
};

export const command: CommandDetails = {
  commands: [
    {
      name: 'list',
      description: 'List the jobs: when each runs, and how it last ended on this node',
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
      description: 'Show the latest runs of the jobs on this node, newest first',
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
  work: (jobs: readonly Job[], note: (job: Job) => Promise<unknown>) => Promise<T>,
): Promise<T> =>
  withTenants(context, async ({ db, config, openStore }) => {
    const { createLogger } = await import('../../base/telemetry/logger.js');
    const { noteAct } = await import('../../http/audit/acts.js');
    const { ownImaging } = await import('../../ops/jobs/own-imaging.js');
    const { scheduledJobs } = await import('../../ops/jobs/scheduled-jobs.js');
    const logger = createLogger({ level: 'warn', format: config['log.format'] });
    const note = (job: Job): Promise<unknown> =>
      noteAct(db, { act: 'job.run', details: { job: job.name } });
    const openImaging = ownImaging(context.home, config, logger);
    const { home } = context;
    const parts = { db, store: await openStore(), config, home, logger, openImaging };
    return work(scheduledJobs(parts), note);
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
  const last = new Map((await readRuns(context)).reverse().map((run) => [run.job, run]));
  const document = await withJobs(context, async (jobs) =>
    jobs.map(({ name, when }) => ({
      name,
      when,
      last_ended_at: last.get(name)?.ended_at ?? null,
      ms: last.get(name)?.ms ?? null,
      error: last.get(name)?.error ?? null,
    })),
  );
  const howOf = (ended: string, error: string | null): string =>
    error === null ? `done ${agoText(ended)}` : `failed ${agoText(ended)}: ${error}`;
  context.ui.list({
    document,
    headers: ['JOB', 'WHEN', 'LAST RUN HERE'],
    rows: document.map(({ name, when, last_ended_at: ended, error }) => [
      wordOf(name),
      when,
      ended === null ? 'not yet' : howOf(ended, error),
    ]),
    none: 'The settings enable no jobs.',
  });
}

/** Runs a job in this process. If only one node may run it at a time, it waits for its turn. */
async function runJob(context: Context, { name }: { name: string }): Promise<void> {
  const { ui, interrupted } = context;
  const document = await withJobs(context, async (jobs, note) => {
    const job = find(jobs, name);
    await note(job);
    ui.progress(`Running: ${job.name}`);
    const began = performance.now();
    const result = (await job.run(interrupted)) ?? null;
    interrupted.throwIfAborted();
    return { job: job.name, ms: Math.round(performance.now() - began), result };
  });
  const { job, ms, result } = document;
  const found = result === null || typeof result !== 'object' ? '' : `: ${JSON.stringify(result)}`;
  ui.result({ document, text: `Done: ${job}, in ${ms} ms${found}` });
}

async function showJobHistory(context: Context, { job }: { job?: string }): Promise<void> {
  const runs = await readRuns(context);
  const document = job === undefined ? runs : runs.filter((run) => wordOf(run.job) === wordOf(job));
  context.ui.list({
    document,
    headers: ['ENDED (UTC)', 'JOB', 'RESULT'],
    rows: document.map(({ job: name, ended_at: ended, ms, error }) => [
      utcText(ended),
      wordOf(name),
      error === null ? `done in ${ms} ms` : `failed in ${ms} ms: ${error}`,
    ]),
    none: 'The service has not run any job on this node yet.',
  });
}

/** The runs that the service of this home has recorded, newest first. */
async function readRuns(context: Context): Promise<JobRecord[]> {
  await context.checkHome('home');
  const text = await readFile(context.home.jobHistory, 'utf8').catch(() => '[]');
  return (JSON.parse(text) as JobRecord[]).sort((a, b) => (a.ended_at < b.ended_at ? 1 : -1));
}
