import { Argument, Option } from 'commander';
import type { Entry } from '../entry.js';

const platform = new Argument('<id>', 'Id of the platform');

/** Client applications, whose users store images. */
export const platforms: Entry = {
  name: 'platform',
  description: 'Platforms: tokens, suspension, limits, deletion',
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
      arguments: [platform],
      examples: ['platform token PLATFORM_ID'],
      load: async () => (await import('../commands/platform.js')).issuePlatformTokens,
    },
    {
      name: 'revoke',
      description: 'Revoke all tokens of a platform and its users at once, on every node',
      arguments: [platform],
      asks: true,
      examples: ['platform revoke PLATFORM_ID'],
      load: async () => (await import('../commands/platform.js')).revokePlatform,
    },
    {
      name: 'show',
      description: 'Show a platform, its contents and limits; for a deleted one, the report',
      arguments: [platform],
      examples: ['platform show PLATFORM_ID', 'platform show PLATFORM_ID --json'],
      load: async () => (await import('../commands/platform-show.js')).showPlatform,
    },
    {
      name: 'rename',
      description: 'Rename a platform; its tokens keep working',
      arguments: [platform],
      options: [new Option('--name <name>', 'Unique platform name').makeOptionMandatory()],
      examples: ['platform rename PLATFORM_ID --name "Field survey 2"'],
      load: async () => (await import('../commands/platform-state.js')).renamePlatform,
    },
    {
      name: 'suspend',
      description: 'Refuse all tokens of a platform and its users until it is resumed',
      arguments: [platform],
      examples: ['platform suspend PLATFORM_ID'],
      load: async () => (await import('../commands/platform-state.js')).suspendPlatform,
    },
    {
      name: 'resume',
      description: 'End the suspension of a platform; its tokens work again',
      arguments: [platform],
      examples: ['platform resume PLATFORM_ID'],
      load: async () => (await import('../commands/platform-state.js')).resumePlatform,
    },
    {
      name: 'limit',
      description: 'Show or set what all users of a platform may store together',
      arguments: [platform],
      options: [
        new Option(
          '--storage-mb <n>',
          'Megabytes of originals, edits, and text, trash included; or none',
        ),
        new Option('--images <n>', 'Images, trash included; or none'),
        new Option('--users <n>', 'Users; or none'),
      ],
      examples: [
        'platform limit PLATFORM_ID',
        'platform limit PLATFORM_ID --storage-mb 102400 --users 500',
        'platform limit PLATFORM_ID --images none',
      ],
      load: async () => (await import('../commands/platform-limit.js')).limitPlatform,
    },
    {
      name: 'delete',
      description: 'Permanently delete a platform with all users and images; leaves a report',
      arguments: [platform],
      options: [new Option('--confirm <name>', 'The name of the platform; --yes is not enough')],
      examples: ['platform delete PLATFORM_ID --confirm "Field survey"'],
      load: async () => (await import('../commands/platform-delete.js')).deletePlatform,
    },
  ],
};
