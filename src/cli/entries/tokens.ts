import { Argument } from 'commander';
import type { Entry } from '../entry.js';

/** Commands about tokens. */
export const tokens: Entry = {
  name: 'token',
  description: 'Inspect tokens',
  commands: [
    {
      name: 'inspect',
      description: 'Check a token from stdin or a file: whose, until when, revoked or not',
      arguments: [new Argument('[file]', 'A file with the token; stdin if omitted')],
      examples: ['token inspect token.txt', 'token inspect token.txt --json'],
      load: async () => (await import('../commands/token-inspect.js')).inspectToken,
    },
  ],
};
