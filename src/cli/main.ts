import { Argument, Option } from 'commander';
import { ignoreBrokenPipes } from './broken-pipe.js';
import { runProgram, type Entry } from './program.js';

const platformOption = (description: string): Option => new Option('--platform <id>', description);
const storeOption = (flag: string): Option => new Option(`${flag} <store>`, 's3 or local');
const trashOptions = (): Option[] => [
  platformOption("this platform's users"),
  new Option('--user <id>', 'this user'),
];

/**
 * Every command. Its file, and with it the database, sharp and Express, is loaded when the command
 * runs: --help must stay instant.
 */
const commands: readonly Entry[] = [
  {
    name: 'init',
    description: 'set up the database, object store, and secrets; safe to run again',
    options: [
      new Option('--plan', 'show what would be done without doing it'),
      new Option(
        '--master-key-file <file>',
        'file with the master key of the installation to join (IMGSTORE_MASTER_KEY_FILE)',
      ),
    ],
    load: async () => (await import('./commands/init.js')).init,
  },
  {
    name: 'serve',
    description: 'run the API, the imaging process, and the scheduled jobs',
    options: [new Option('--init', 'run init first, for services that start unattended')],
    load: async () => (await import('./commands/serve.js')).serve,
  },
  {
    name: 'up',
    description: 'run init if needed, then serve; print tokens to get started',
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
    description: 'apply pending migrations and repair missing parts of the schema',
    options: [new Option('--status', 'list migrations without applying them')],
    load: async () => (await import('./commands/migrate.js')).migrateDatabase,
  },
  {
    name: 'admin',
    description: 'administrators',
    commands: [
      {
        name: 'token',
        description: 'issue an administrator token',
        load: async () => (await import('./commands/admin.js')).issueAdminToken,
      },
    ],
  },
  {
    name: 'platform',
    description: 'manage client platforms',
    commands: [
      {
        name: 'create',
        description: 'create a platform and issue its first tokens',
        options: [new Option('--name <name>', 'unique platform name').makeOptionMandatory()],
        load: async () => (await import('./commands/platform.js')).createPlatform,
      },
      {
        name: 'list',
        description: 'list platforms',
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
        description: 'revoke all tokens of a platform and its users immediately, on every node',
        arguments: [new Argument('<id>')],
        load: async () => (await import('./commands/platform.js')).revokePlatform,
      },
    ],
  },
  {
    name: 'user',
    description: "manage platforms' users",
    commands: [
      {
        name: 'create',
        description: 'create a user of a platform and issue the first tokens',
        options: [
          platformOption('platform id').makeOptionMandatory(),
          new Option(
            '--platform-user-id <id>',
            "the platform's own identifier for the user",
          ).makeOptionMandatory(),
        ],
        load: async () => (await import('./commands/user.js')).createUser,
      },
      {
        name: 'list',
        description: "list a platform's users",
        options: [platformOption('platform id').makeOptionMandatory()],
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
    description: 'manage the master key and the token signing keys',
    commands: [
      {
        name: 'export',
        description: "print this home's master key, for a node that joins; keep it secret",
        load: async () => (await import('./commands/keys.js')).exportMasterKey,
      },
      {
        name: 'rotate',
        description:
          'add a signing key; tokens signed with older keys stay valid until they expire',
        options: [
          new Option('--revoke-old', 'revoke all tokens signed with older keys immediately'),
        ],
        load: async () => (await import('./commands/keys.js')).rotateKeys,
      },
    ],
  },
  {
    name: 'status',
    description: 'show service status and usage',
    load: async () => (await import('./commands/status.js')).showStatus,
  },
  {
    name: 'logs',
    description: 'what the running service logs',
    commands: [
      {
        name: 'level',
        description: 'show or change the log level of the running service, on all its processes',
        arguments: [
          new Argument('[level]', 'the new level; default returns to the configured one').choices([
            ...['error', 'warn', 'info', 'debug', 'default'],
          ]),
        ],
        load: async () => (await import('./commands/logs.js')).logLevel,
      },
    ],
  },
  {
    name: 'stats',
    description: 'check usage accounting',
    commands: [
      {
        name: 'verify',
        description: 'verify that ledger, counters, rows, and stored objects agree',
        options: [platformOption('check one platform instead of all')],
        load: async () => (await import('./commands/stats.js')).verifyStats,
      },
    ],
  },
  {
    name: 'store',
    description: 'manage where stored files are kept',
    commands: [
      {
        name: 'migrate',
        description: 'move all files to another store while serving; run again to resume',
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
    description: 'manage the trash',
    commands: [
      {
        name: 'list',
        description: "list each user's trash: how much, and since when",
        options: trashOptions(),
        load: async () => (await import('./commands/trash.js')).listTrash,
      },
      {
        name: 'empty',
        description: 'permanently delete everything in the trash now',
        options: trashOptions(),
        load: async () => (await import('./commands/trash.js')).emptyTrashNow,
      },
    ],
  },
  {
    name: 'config',
    description: 'show, check, and change the configuration',
    commands: [
      {
        name: 'show',
        description: 'show effective settings and where each value comes from',
        load: async () => (await import('./commands/config.js')).showConfig,
      },
      {
        name: 'check',
        description: 'check flags, environment, and file for mistakes',
        load: async () => (await import('./commands/config.js')).checkConfig,
      },
      {
        name: 'get',
        description: 'print the effective value of one setting, even of a secret',
        arguments: [new Argument('<key>', 'such as port or log.level')],
        load: async () => (await import('./commands/config.js')).getConfig,
      },
      {
        name: 'set',
        description: 'write one setting to config.yaml; comments stay as they are',
        arguments: [
          new Argument('<key>', 'such as port or log.level'),
          new Argument('[value]', 'asked for, or read from stdin, if left out'),
        ],
        load: async () => (await import('./commands/config-set.js')).setConfig,
      },
      {
        name: 'path',
        description: 'print the path of config.yaml',
        load: async () => (await import('./commands/config.js')).printConfigPath,
      },
    ],
  },
  {
    name: 'proxy-config',
    description: 'print a reverse-proxy configuration for these settings',
    arguments: [new Argument('<server>', 'the proxy: nginx or caddy').choices(['nginx', 'caddy'])],
    options: [
      new Option(
        '--upstream <host:port>',
        'a node behind the proxy; repeat for each node (default: host and port)',
      )
        .argParser((address: string, others: string[]) => [...others, address])
        .default([]),
    ],
    load: async () => (await import('./commands/proxy-config.js')).printProxyConfig,
  },
];

ignoreBrokenPipes();
process.exitCode = await runProgram(commands, process.argv);
