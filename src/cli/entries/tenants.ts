import { Option } from 'commander';
import type { Chapter } from '../entry.js';
import { platforms } from './platforms.js';
import { tokens } from './tokens.js';
import { users } from './users.js';
import { webhooks } from './webhooks.js';

/** Platforms, their users, and the tokens of all. */
export const tenants: Chapter = {
  heading: 'Platforms, users, and tokens:',
  entries: [
    {
      name: 'admin',
      description: 'Tokens of administrators',
      commands: [
        {
          name: 'token',
          description: 'Issue an administrator token',
          examples: ['admin token', 'admin token --json'],
          load: async () => (await import('../commands/admin.js')).issueAdminToken,
        },
      ],
    },
    platforms,
    users,
    webhooks,
    tokens,
    {
      name: 'keys',
      description: 'The master key, and the keys that sign tokens',
      commands: [
        {
          name: 'export',
          description: "Print this home's master key, for a node that joins; keep it secret",
          examples: ['keys export > master.key'],
          load: async () => (await import('../commands/keys.js')).exportMasterKey,
        },
        {
          name: 'list',
          description: 'List the keys that sign tokens: since when, and which one signs',
          examples: ['keys list', 'keys list --json'],
          load: async () => (await import('../commands/keys-list.js')).listKeys,
        },
        {
          name: 'rotate',
          description: 'Add a signing key; older tokens stay valid until they expire',
          options: [new Option('--revoke-old', 'Revoke all tokens signed with older keys at once')],
          asks: true,
          examples: ['keys rotate', 'keys rotate --revoke-old'],
          load: async () => (await import('../commands/keys.js')).rotateKeys,
        },
      ],
    },
  ],
};
