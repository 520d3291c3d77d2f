import { Option } from 'commander';
import type { Chapter } from '../entry.js';

/** What looks for everything that is wrong with an installation. */
export const doctor: Chapter = {
  heading: 'Maintain:',
  entries: [
    {
      name: 'doctor',
      description: 'Check machine, settings, database, store, and service; name the cure',
      options: [
        new Option('--list', 'List the checks without making them'),
        new Option('--only <name,…>', 'Make these checks only').argParser((words: string) =>
          words.split(',').map((word) => word.trim()),
        ),
        new Option('--fix', 'Cure what can be cured without risk, and say what was done'),
      ],
      examples: [
        'doctor',
        'doctor --list',
        'doctor --only database,store,public-url',
        'doctor --fix',
        'doctor --json',
      ],
      load: async () => (await import('../commands/doctor.js')).examineHome,
    },
  ],
};
