import { Argument } from 'commander';
import type { Entry } from '../entry.js';

/** What a token is. */
export const tokens: Entry = {
  name: 'token',
  description: 'What a token says, and whether it works',
  commands: [
    {
      name: 'inspect',
      description: 'Check a token from stdin or a file: whose, until when, revoked or not',
      arguments: [new Argument('[file]', 'A file with the token; stdin if left out')],
      examples: ['token inspect token.txt', 'token inspect token.txt --json'],
      load: async () => (await import('../commands/token-inspect.js')).inspectToken,
    },
  ],
};
