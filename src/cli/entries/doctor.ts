import { Option } from 'commander';
import type { Entry } from '../entry.js';

/** What looks for everything that is wrong with an installation. */
export const doctor: Entry = {
  name: 'doctor',
  description: 'Check everything, and name the cure of what is wrong',
  options: [
    new Option('--list', 'List the checks without making them'),
    new Option('--only <name,…>', 'Make these checks only').argParser((words: string) =>
      words.split(',').map((word) => word.trim()),
    ),
    new Option('--fix', 'Cure what can be cured without risk, and say what was done'),
  ],
  offers: {
    '--only': async () => (await import('../../doctor/checks.js')).checks.map(({ name }) => name),
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
