import { Argument, Option } from 'commander';
import type { Entry } from '../entry.js';

const names = async (): Promise<string[]> => {
  const { jobNames, wordOf } = await import('../../ops/jobs/records.js');
  return jobNames.map(wordOf);
};

/** Scheduled jobs of the service. */
export const jobs: Entry = {
  name: 'jobs',
  description: 'List and run the scheduled jobs',
  commands: [
    {
      name: 'list',
      description: 'List the jobs: when each runs, and how it last ended on this node',
      examples: ['jobs list'],
      load: async () => (await import('../commands/jobs.js')).listJobs,
    },
    {
      name: 'run',
      description: 'Run a job now, in this process; safe while the service is running',
      arguments: [new Argument('<name>', 'As "jobs list" shows it')],
      offers: { name: names },
      examples: ['jobs run "reclaim objects"', 'jobs run reclaim-objects'],
      load: async () => (await import('../commands/jobs.js')).runJob,
    },
    {
      name: 'history',
      description: 'Show the latest runs of the jobs on this node, newest first',
      options: [new Option('--job <name>', 'Only runs of this job')],
      offers: { '--job': names },
      examples: ['jobs history', 'jobs history --job expire-trash --json'],
      load: async () => (await import('../commands/jobs.js')).showJobHistory,
    },
  ],
};
