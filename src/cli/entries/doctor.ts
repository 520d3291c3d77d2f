import { Option } from 'commander';
import type { Entry } from '../entry.js';

/** Checks an installation for everything that can be wrong with it. */
export const doctor: Entry = {
  name: 'doctor',
  description: 'Check everything, and name a remedy for each problem',
  options: [
    new Option('--list', 'List the checks without running them'),
    new Option('--only <name,…>', 'Run only these checks').argParser((words: string) =>
      words.split(',').map((word) => word.trim()),
    ),
    new Option('--fix', 'Fix what can be fixed without risk, and report what was done'),
  ],
  offers: {
    '--only': async () =>
      (await import('../../ops/doctor/checks.js')).checks.map(({ name }) => name),
  },
  examples: [
    'doctor',
    'doctor --list',
    'doctor --only database,store,public-url',
    'doctor --fix',
    'doctor --json',
  ],
  load: async () => (await import('../commands/doctor.js')).examineHome,
};
