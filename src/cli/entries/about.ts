import type { Chapter } from '../entry.js';

/** What tells about the program itself; its help is added to it. */
export const about: Chapter = {
  heading: 'About:',
  entries: [
    {
      name: 'version',
      description: 'Print the version',
      examples: ['version', 'version --json'],
      load: async () => (await import('../commands/version.js')).showVersion,
    },
  ],
};
