import { Argument } from 'commander';
import type { Chapter } from '../entry.js';

/**
 * Commands about the program itself; the help command is added to them.
 * @param all returns all chapters, this one included, whose commands are completed.
 */
export const about = (all: () => readonly Chapter[]): Chapter => ({
  heading: 'About:',
  entries: [
    {
      name: 'completion',
      description: 'Print the completion script for a shell',
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
      hidden: true, // the list already has --version
      description: 'Print the version',
      examples: ['version', 'version --json'],
      load: async () => (await import('../commands/version.js')).showVersion,
    },
  ],
});
