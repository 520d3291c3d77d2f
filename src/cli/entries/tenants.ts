import { Argument, Option } from 'commander';
import type { Chapter } from '../entry.js';
import { webhooks } from './webhooks.js';

const platformOption = new Option('--platform <id>', 'Id of the platform').makeOptionMandatory();

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
    {
      name: 'platform',
      description: 'Create and list platforms, issue and revoke their tokens',
      commands: [
        {
          name: 'create',
          description: 'Create a platform and issue its first tokens',
          options: [new Option('--name <name>', 'Unique platform name').makeOptionMandatory()],
          examples: ['platform create --name "Field survey"'],
          load: async () => (await import('../commands/platform.js')).createPlatform,
        },
        {
          name: 'list',
          description: 'List platforms',
          examples: ['platform list'],
          load: async () => (await import('../commands/platform.js')).listPlatforms,
        },
        {
          name: 'token',
          description: 'Issue new tokens for a platform',
          arguments: [new Argument('<id>', 'Id of the platform')],
          examples: ['platform token PLATFORM_ID'],
          load: async () => (await import('../commands/platform.js')).issuePlatformTokens,
        },
        {
          name: 'revoke',
          description: 'Revoke all tokens of a platform and its users at once, on every node',
          arguments: [new Argument('<id>', 'Id of the platform')],
          asks: true,
          examples: ['platform revoke PLATFORM_ID'],
          load: async () => (await import('../commands/platform.js')).revokePlatform,
        },
      ],
    },
    {
      name: 'user',
      description: "Create and list platforms' users, issue their tokens",
      commands: [
        {
          name: 'create',
          description: 'Create a user of a platform and issue the first tokens',
          options: [
            platformOption,
            new Option(
              '--platform-user-id <id>',
              "The platform's own identifier for the user",
            ).makeOptionMandatory(),
          ],
          examples: ['user create --platform PLATFORM_ID --platform-user-id kim'],
          load: async () => (await import('../commands/user.js')).createUser,
        },
        {
          name: 'list',
          description: "List a platform's users",
          options: [platformOption],
          examples: ['user list --platform PLATFORM_ID'],
          load: async () => (await import('../commands/user.js')).listUsers,
        },
        {
          name: 'token',
          description: 'Issue new tokens for a user',
          arguments: [new Argument('<id>', 'Id of the user')],
          examples: ['user token USER_ID'],
          load: async () => (await import('../commands/user.js')).issueUserTokens,
        },
      ],
    },
    webhooks,
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
