import { Argument, Option } from 'commander';
import type { Entry } from '../entry.js';

const user = new Argument('<id>', 'Id of the user');
const platformOption = new Option('--platform <id>', 'Id of the platform').makeOptionMandatory();

/** End users of platforms. */
export const users: Entry = {
  name: 'user',
  description: "Platforms' users: tokens, suspension, quotas, deletion",
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
      arguments: [user],
      examples: ['user token USER_ID'],
      load: async () => (await import('../commands/user.js')).issueUserTokens,
    },
    {
      name: 'show',
      description: 'Show a user: state, images, storage',
      arguments: [user],
      examples: ['user show USER_ID', 'user show USER_ID --json'],
      load: async () => (await import('../commands/user-state.js')).showUser,
    },
    {
      name: 'suspend',
      description: 'Refuse all tokens of a user until the user is resumed',
      arguments: [user],
      examples: ['user suspend USER_ID'],
      load: async () => (await import('../commands/user-state.js')).suspendUser,
    },
    {
      name: 'resume',
      description: "End a user's suspension; the tokens work again",
      arguments: [user],
      examples: ['user resume USER_ID'],
      load: async () => (await import('../commands/user-state.js')).resumeUser,
    },
    {
      name: 'quota',
      description: 'Show or set what a user may store, in megabytes',
      arguments: [user, new Argument('[mb]', 'The new quota')],
      examples: ['user quota USER_ID', 'user quota USER_ID 20480'],
      load: async () => (await import('../commands/user-state.js')).userQuota,
    },
    {
      name: 'delete',
      description: 'Permanently delete a user with all folders and images',
      arguments: [user],
      asks: true,
      examples: ['user delete USER_ID'],
      load: async () => (await import('../commands/user-state.js')).deleteUser,
    },
  ],
};
