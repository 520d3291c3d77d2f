import type { Chapter } from './command.js';

/**
 * Every command of the top level, in the order of `--help`, which loads nothing else. A command's own
 * help loads its file; what the command needs to run is loaded when it runs.
 */
export const chapters: readonly Chapter[] = [
  {
    heading: 'Set up and run:',
    commands: [
      {
        name: 'up',
        description: 'Set up what is missing, serve, and show how to begin',
        load: () => import('./commands/up.js'),
      },
      {
        name: 'up-service',
        description: 'The service that "up" supervises',
        hidden: true,
        load: () => import('./commands/up-service.js'),
      },
      {
        name: 'init',
        description: 'Set up home, database, and store; safe to run again',
        load: () => import('./commands/init.js'),
      },
      {
        name: 'serve',
        description: 'Run the API, imaging, and the scheduled jobs',
        load: () => import('./commands/serve.js'),
      },
      {
        name: 'status',
        description: 'Show the state of the service, and what it stores',
        load: () => import('./commands/status.js'),
      },
      {
        name: 'console',
        description: 'Print a link that signs in to the web console, once',
        load: () => import('./commands/console.js'),
      },
      {
        name: 'logs',
        description: 'Show the log of the running service; change its level',
        load: () => import('./commands/logs.js'),
      },
    ],
  },
  {
    heading: 'Platforms, users, and tokens:',
    commands: [
      {
        name: 'admin',
        description: 'Tokens of administrators',
        load: () => import('./commands/admin.js'),
      },
      {
        name: 'platform',
        description: 'Platforms: tokens, suspension, limits, deletion',
        load: () => import('./commands/platform.js'),
      },
      {
        name: 'user',
        description: "Platforms' users: tokens, suspension, quotas, deletion",
        load: () => import('./commands/user.js'),
      },
      {
        name: 'link',
        description: 'Links that open images to people without an account',
        load: () => import('./commands/link.js'),
      },
      {
        name: 'hold',
        description: 'Holds that keep images from being deleted for good',
        load: () => import('./commands/hold.js'),
      },
      {
        name: 'webhook',
        description: 'URLs that changes of platforms are sent to',
        load: () => import('./commands/webhook.js'),
      },
      {
        name: 'token',
        description: 'Narrow tokens, and what a token is',
        load: () => import('./commands/token.js'),
      },
      {
        name: 'session',
        description: 'Who is signed in to the console',
        load: () => import('./commands/session.js'),
      },
      {
        name: 'keys',
        description: 'The master key, and the keys that sign tokens',
        load: () => import('./commands/keys.js'),
      },
    ],
  },
  {
    heading: 'Maintain:',
    commands: [
      {
        name: 'doctor',
        description: 'Check everything, and name a remedy for each problem',
        load: () => import('./commands/doctor.js'),
      },
      {
        name: 'config',
        description: 'Show, check, and change the configuration',
        load: () => import('./commands/config.js'),
      },
      {
        name: 'migrate',
        description: 'Apply pending migrations',
        load: () => import('./commands/migrate.js'),
      },
      {
        name: 'database',
        description: 'Upgrade, move, or restore the database',
        load: () => import('./commands/database.js'),
      },
      {
        name: 'stats',
        hidden: true,
        description: 'An older spelling of "verify accounts"',
        load: () => import('./commands/verify-accounts.js'),
      },
      {
        name: 'store',
        description: 'Move stored files between the home and S3',
        load: () => import('./commands/store.js'),
      },
      {
        name: 'audit',
        description: 'Show who did what, and with which token',
        load: () => import('./commands/audit.js'),
      },
      {
        name: 'maintenance',
        description: 'Refuse changes, on all nodes, until it is over',
        load: () => import('./commands/maintenance.js'),
      },
      {
        name: 'jobs',
        description: 'List and run the scheduled jobs',
        load: () => import('./commands/jobs.js'),
      },
      {
        name: 'trash',
        description: 'Show and empty the trash',
        load: () => import('./commands/trash.js'),
      },
      {
        name: 'proxy-config',
        usage: '<server>',
        description: 'Print a reverse-proxy configuration for these settings',
        load: () => import('./commands/proxy-config.js'),
      },
    ],
  },
  {
    heading: 'Back up, verify, import, and export:',
    commands: [
      {
        name: 'backup',
        usage: '<dir>',
        description: 'Back up rows and files as of one instant, while serving',
        load: () => import('./commands/backup.js'),
      },
      {
        name: 'restore',
        usage: '<dir>',
        description: 'Restore a backup where nothing is stored yet',
        load: () => import('./commands/restore.js'),
      },
      {
        name: 'verify',
        usage: '[what]',
        description: 'Verify the store, the accounts, or a backup',
        load: () => import('./commands/verify.js'),
      },
      {
        name: 'prove',
        usage: '<image>',
        description: 'Print what proves the history of an image; check such a proof',
        load: () => import('./commands/prove.js'),
      },
      {
        name: 'custody',
        description: 'Logs of what happened to images: verify, publish',
        load: () => import('./commands/custody.js'),
      },
      {
        name: 'quarantine',
        description: 'Files that "verify --repair" has set aside',
        load: () => import('./commands/quarantine.js'),
      },
      {
        name: 'import',
        usage: '<dir>',
        description: 'Import a tree of pictures, or an export',
        load: () => import('./commands/import.js'),
      },
      {
        name: 'export',
        usage: '<dir>',
        description: 'Export everything of a user or platform',
        load: () => import('./commands/export.js'),
      },
    ],
  },
  {
    heading: 'About:',
    commands: [
      {
        name: 'completion',
        usage: '<shell>',
        description: 'Print the completion script for a shell',
        load: () => import('./commands/completion.js'),
      },
      {
        name: 'version',
        hidden: true, // the list already has --version
        description: 'Print the version',
        load: () => import('./commands/version.js'),
      },
    ],
  },
];
