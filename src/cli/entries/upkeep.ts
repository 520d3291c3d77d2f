import { Argument, Option } from 'commander';
import type { Chapter } from '../entry.js';
import { audit } from './audit.js';
import { database } from './database.js';
import { doctor } from './doctor.js';
import { jobs } from './jobs.js';

const platformOption = (description: string): Option => new Option('--platform <id>', description);
const storeOption = (flag: string): Option => new Option(`${flag} <store>`, 's3 or local');
const stores = (): Promise<string[]> => Promise.resolve(['s3', 'local']);
const settingKeys = async (): Promise<readonly string[]> =>
  (await import('../../base/config/options.js')).optionKeys;
const trashOptions = (): Option[] => [
  platformOption("This platform's users"),
  new Option('--user <id>', 'This user'),
];

/** Commands that maintain an installation. */
export const upkeep: Chapter = {
  heading: 'Maintain:',
  entries: [
    doctor,
    {
      name: 'config',
      description: 'Show, check, and change the configuration',
      commands: [
        {
          name: 'show',
          description: 'Show effective settings and where each value comes from',
          examples: ['config show', 'config show --json'],
          load: async () => (await import('../commands/config.js')).showConfig,
        },
        {
          name: 'check',
          description: 'Check flags, environment, and file for mistakes',
          examples: ['config check', 'config check --config /etc/imgstore/config.yaml'],
          load: async () => (await import('../commands/config.js')).checkConfig,
        },
        {
          name: 'get',
          description: 'Print the effective value of one setting, even of a secret',
          arguments: [new Argument('<key>', 'Such as port or log.level')],
          offers: { key: settingKeys },
          examples: ['config get public_url'],
          load: async () => (await import('../commands/config.js')).getConfig,
        },
        {
          name: 'set',
          description: 'Write one setting to config.yaml; comments stay as they are',
          arguments: [
            new Argument('<key>', 'Such as port or log.level'),
            new Argument('[value]', 'Prompted for, or read from stdin, if omitted'),
          ],
          offers: { key: settingKeys },
          examples: ['config set log.level warn', 'config set s3.secret_key'],
          load: async () => (await import('../commands/config-set.js')).setConfig,
        },
        {
          name: 'path',
          description: 'Print the path of config.yaml',
          examples: ['config path'],
          load: async () => (await import('../commands/config.js')).printConfigPath,
        },
      ],
    },
    {
      name: 'migrate',
      description: 'Apply pending migrations, and repair the schema',
      options: [
        new Option('--plan', 'Describe pending migrations without applying them'),
        new Option('--status', 'List migrations without applying them'),
        new Option('--no-dump', 'Do not dump the database into the home first'),
      ],
      settings: ['database.url'],
      examples: ['migrate --plan', 'migrate'],
      load: async () => (await import('../commands/migrate.js')).migrateDatabase,
    },
    database,
    {
      name: 'stats',
      description: 'Check the statistics against what is stored',
      commands: [
        {
          name: 'verify',
          description: 'Verify that ledger, counters, rows, and stored objects agree',
          options: [platformOption('Check one platform instead of all')],
          examples: ['stats verify', 'stats verify --platform PLATFORM_ID'],
          load: async () => (await import('../commands/stats.js')).verifyStats,
        },
      ],
    },
    {
      name: 'store',
      description: 'Move stored files between the home and S3',
      commands: [
        {
          name: 'migrate',
          description: 'Move all files to another store while serving; run again to resume',
          options: [storeOption('--to')],
          offers: { '--to': stores },
          settings: ['s3.endpoint', 's3.bucket', 's3.region'],
          examples: ['store migrate --to s3', 'store migrate --to local'],
          load: async () => (await import('../commands/store.js')).migrateStore,
        },
        {
          name: 'clear',
          description: 'Delete what a finished move left in the old store',
          options: [storeOption('--from')],
          offers: { '--from': stores },
          asks: true,
          examples: ['store clear --from local'],
          load: async () => (await import('../commands/store.js')).clearOldStore,
        },
      ],
    },
    audit,
    jobs,
    {
      name: 'trash',
      description: 'Show and empty the trash',
      commands: [
        {
          name: 'list',
          description: "List each user's trash: how much, and since when",
          options: trashOptions(),
          examples: ['trash list', 'trash list --platform PLATFORM_ID'],
          load: async () => (await import('../commands/trash.js')).listTrash,
        },
        {
          name: 'empty',
          description: 'Permanently delete everything in the trash now',
          options: trashOptions(),
          asks: true,
          examples: ['trash empty --user USER_ID'],
          load: async () => (await import('../commands/trash.js')).emptyTrashNow,
        },
      ],
    },
    {
      name: 'proxy-config',
      description: 'Print a reverse-proxy configuration for these settings',
      arguments: [new Argument('<server>', 'The proxy').choices(['nginx', 'caddy'])],
      options: [
        new Option(
          '--upstream <host:port>',
          'A node behind the proxy; repeat for each node (default: host and port)',
        ).argParser((upstream: string, others: string[] = []) => [...others, upstream]),
      ],
      settings: ['public_url', 'trust_proxy', 'files.accel'],
      examples: [
        'proxy-config nginx --public-url https://img.example.com',
        'proxy-config caddy --upstream 10.0.0.11:80 --upstream 10.0.0.12:80',
      ],
      load: async () => (await import('../commands/proxy-config.js')).printProxyConfig,
    },
  ],
};
