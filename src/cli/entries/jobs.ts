import { Argument, Option } from 'commander';
import type { Entry } from '../entry.js';

const names = async (): Promise<string[]> => {
  const { jobNames, wordOf } = await import('../../jobs/job-names.js');
  return jobNames.map(wordOf);
};

/** What the service does by itself. */
export const jobs: Entry = {
  name: 'jobs',
  description: 'What the service does on schedule',
  commands: [
    {
      name: 'list',
      description: 'List the jobs: when each runs, and how it last ended on this node',
      examples: ['jobs list'],
      load: async () => (await import('../commands/jobs.js')).listJobs,
    },
    {
      name: 'run',
      description: 'Run a job now, here; beside the service, one of both does the work',
      arguments: [new Argument('<name>', 'As "jobs list" shows it')],
      offers: { name: names },
      examples: ['jobs run "reclaim objects"', 'jobs run reclaim-objects'],
      load: async () => (await import('../commands/jobs.js')).runJob,
    },
    {
      name: 'history',
      description: 'Show the latest runs of the jobs on this node, newest first',
      options: [new Option('--job <name>', 'Only of this one')],
      offers: { '--job': names },
      examples: ['jobs history', 'jobs history --job expire-trash --json'],
      load: async () => (await import('../commands/jobs.js')).showJobHistory,
    },
  ],
};
