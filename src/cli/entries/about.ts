import { Argument } from 'commander';
import type { Chapter } from '../entry.js';

/**
 * What tells about the program itself; its help is added to it.
 * @param all the chapters, this one included: what is completed.
 */
export const about = (all: () => readonly Chapter[]): Chapter => ({
  heading: 'About:',
  entries: [
    {
      name: 'completion',
      description: 'Print what completes commands in a shell',
      arguments: [new Argument('<shell>', 'The shell').choices(['bash', 'zsh', 'fish'])],
      examples: [
        'completion bash > ~/.local/share/bash-completion/completions/imgstore',
        'completion zsh > ~/.zfunc/_imgstore',
        'completion fish > ~/.config/fish/completions/imgstore.fish',
      ],
      load: async () => (await import('../commands/completion.js')).completionPrinter(all()),
    },
    {
      name: 'version',
      hidden: true, // as --version, which the list has already
      description: 'Print the version',
      examples: ['version', 'version --json'],
      load: async () => (await import('../commands/version.js')).showVersion,
    },
  ],
});
