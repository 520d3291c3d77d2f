import { Argument, Option } from 'commander';
import { runProgram, type Entry } from './program.js';

const platformOption = (description: string): Option => new Option('--platform <id>', description);
const storeOption = (flag: string): Option => new Option(`${flag} <store>`, 's3 or local');
const trashOptions = (): Option[] => [
  platformOption('of the users of this platform'),
  new Option('--user <id>', 'of this user'),
];

/**
 * Every command. Its file, and with it the database, sharp and Express, is loaded when the command
 * runs: --help must stay instant.
 */
const commands: readonly Entry[] = [
  {
    name: 'init',
    description: 'provision database, object store and secrets; safe to run again',
    options: [
      new Option('--plan', 'only say what would be done'),
      new Option(
        '--master-key-file <file>',
        'file with the master key of the installation to join (IMGSTORE_MASTER_KEY_FILE)',
      ),
    ],
    load: async () => (await import('./commands/init.js')).init,
  },
  {
    name: 'serve',
    description: 'run the API, the imaging process and the scheduled jobs',
    options: [new Option('--init', 'init first, as a service does that starts by itself')],
    load: async () => (await import('./commands/serve.js')).serve,
  },
  {
    name: 'up',
    description: 'init if needed, then serve; prints tokens to start with',
    load: async () => (await import('./commands/up.js')).up,
  },
  {
    name: 'up-service',
    description: 'the service that "up" supervises',
    hidden: true,
    load: async () => (await import('./commands/up-service.js')).upService,
  },
  {
    name: 'migrate',
    description: 'bring the database up to this program, and mend what is missing of its schema',
    options: [new Option('--status', 'list the migrations instead')],
    load: async () => (await import('./commands/migrate.js')).migrateDatabase,
  },
  {
    name: 'admin',
    description: 'administrators',
    commands: [
      {
        name: 'token',
        description: 'mint an administrator token',
        load: async () => (await import('./commands/admin.js')).issueAdminToken,
      },
    ],
  },
  {
    name: 'platform',
    description: 'client platforms',
    commands: [
      {
        name: 'create',
        description: 'create a platform and its first tokens',
        options: [new Option('--name <name>', 'unique name of the platform').makeOptionMandatory()],
        load: async () => (await import('./commands/platform.js')).createPlatform,
      },
      {
        name: 'list',
        description: 'all platforms',
        load: async () => (await import('./commands/platform.js')).listPlatforms,
      },
      {
        name: 'token',
        description: 'issue new tokens for a platform',
        arguments: [new Argument('<id>')],
        load: async () => (await import('./commands/platform.js')).issuePlatformTokens,
      },
      {
        name: 'revoke',
        description: 'end all tokens of a platform and of its users, at once and everywhere',
        arguments: [new Argument('<id>')],
        load: async () => (await import('./commands/platform.js')).revokePlatform,
      },
    ],
  },
  {
    name: 'user',
    description: 'users of platforms',
    commands: [
      {
        name: 'create',
        description: 'create a user of a platform, and the first tokens',
        options: [
          platformOption('id of the platform').makeOptionMandatory(),
          new Option(
            '--platform-user-id <id>',
            'what the platform calls its user',
          ).makeOptionMandatory(),
        ],
        load: async () => (await import('./commands/user.js')).createUser,
      },
      {
        name: 'list',
        description: 'all users of a platform',
        options: [platformOption('id of the platform').makeOptionMandatory()],
        load: async () => (await import('./commands/user.js')).listUsers,
      },
      {
        name: 'token',
        description: 'issue new tokens for a user',
        arguments: [new Argument('<id>')],
        load: async () => (await import('./commands/user.js')).issueUserTokens,
      },
    ],
  },
  {
    name: 'keys',
    description: 'the master key, and the keys that sign tokens',
    commands: [
      {
        name: 'export',
        description: 'print the master key of this home, for a node that joins; keep it secret',
        load: async () => (await import('./commands/keys.js')).exportMasterKey,
      },
      {
        name: 'rotate',
        description: 'add a signing key; tokens of older keys stay valid until they expire',
        options: [new Option('--revoke-old', 'end all tokens of older keys at once')],
        load: async () => (await import('./commands/keys.js')).rotateKeys,
      },
    ],
  },
  {
    name: 'status',
    description: 'is it running, where, on what, and how much is in it',
    load: async () => (await import('./commands/status.js')).showStatus,
  },
  {
    name: 'stats',
    description: 'the accounts of what is stored',
    commands: [
      {
        name: 'verify',
        description: 'prove that ledger, counters, rows and stored objects say the same',
        options: [platformOption('one platform instead of all')],
        load: async () => (await import('./commands/stats.js')).verifyStats,
      },
    ],
  },
  {
    name: 'store',
    description: 'where the stored files are',
    commands: [
      {
        name: 'migrate',
        description: 'move all files to another store while serving; repeat to resume',
        options: [storeOption('--to')],
        load: async () => (await import('./commands/store.js')).migrateStore,
      },
      {
        name: 'clear',
        description: 'delete what a finished move left in the old store',
        options: [storeOption('--from')],
        load: async () => (await import('./commands/store.js')).clearOldStore,
      },
    ],
  },
  {
    name: 'trash',
    description: 'what waits to be deleted for good',
    commands: [
      {
        name: 'list',
        description: 'how much each user has in the trash, since when',
        options: trashOptions(),
        load: async () => (await import('./commands/trash.js')).listTrash,
      },
      {
        name: 'empty',
        description: 'delete for good what is in the trash now',
        options: trashOptions(),
        load: async () => (await import('./commands/trash.js')).emptyTrashNow,
      },
    ],
  },
  {
    name: 'config',
    description: 'the configuration',
    commands: [
      {
        name: 'show',
        description: 'effective settings and where each value comes from',
        load: async () => (await import('./commands/config.js')).showConfig,
      },
      {
        name: 'check',
        description: 'look for mistakes in flags, environment and file',
        load: async () => (await import('./commands/config.js')).checkConfig,
      },
    ],
  },
  {
    name: 'proxy-config',
    description: 'print the configuration of a reverse proxy for these settings',
    arguments: [new Argument('<server>', 'the proxy').choices(['nginx', 'caddy'])],
    options: [
      new Option(
        '--upstream <host:port>',
        'a node behind the proxy; again for each (default: host and port)',
      )
        .argParser((address: string, others: string[]) => [...others, address])
        .default([]),
    ],
    load: async () => (await import('./commands/proxy-config.js')).printProxyConfig,
  },
];

process.exitCode = await runProgram(commands, process.argv);
