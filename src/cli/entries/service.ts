import { Argument, Option } from 'commander';
import type { Chapter } from '../entry.js';

/** Commands that set imgstore up and run it. */
export const service: Chapter = {
  heading: 'Set up and run:',
  entries: [
    {
      name: 'up',
      description: 'Set up what is missing, serve, and show how to begin',
      settings: ['port', 'database.url', 'log.level'],
      asks: true,
      examples: ['up', 'up --port 8081 --home /tmp/trial'],
      load: async () => (await import('../commands/up.js')).up,
    },
    {
      name: 'up-service',
      description: 'The service that "up" supervises',
      hidden: true,
      load: async () => (await import('../commands/up-service.js')).upService,
    },
    {
      name: 'init',
      description: 'Set up home, database, and store; safe to run again',
      options: [
        new Option('--plan', 'Show what would be done without doing it'),
        new Option(
          '--master-key-file <file>',
          'Join the installation that has this master key (IMGSTORE_MASTER_KEY_FILE)',
        ),
      ],
      settings: [
        'host',
        'port',
        'public_url',
        'trust_proxy',
        'database.url',
        's3.endpoint',
        's3.bucket',
        's3.region',
      ],
      asks: true,
      examples: [
        'init',
        'init --plan',
        'init --yes --home /srv/photos --port 8081',
        'init --s3-endpoint https://s3.example.com --s3-bucket photos',
      ],
      load: async () => (await import('../commands/init.js')).init,
    },
    {
      name: 'serve',
      description: 'Run the API, imaging, and the scheduled jobs',
      options: [new Option('--init', 'Run init first, for services that start unattended')],
      settings: ['host', 'port', 'workers', 'public_url', 'trust_proxy', 'log.level', 'log.format'],
      examples: ['serve', 'serve --host 0.0.0.0 --port 80 --log-level warn'],
      load: async () => (await import('../commands/serve.js')).serve,
    },
    {
      name: 'status',
      description: 'Show the state of the service, and what it stores',
      examples: ['status', 'status --json'],
      load: async () => (await import('../commands/status.js')).showStatus,
    },
    {
      name: 'console',
      description: 'Print a link that signs in to the web console, once',
      options: [new Option('--open', 'Open it in the browser of this machine')],
      examples: ['console', 'console --open'],
      load: async () => (await import('../commands/console.js')).linkToConsole,
    },
    {
      name: 'logs',
      description: 'The log of the running service',
      commands: [
        {
          name: 'show',
          description: 'Show the log of the running service, from the journal or its file',
          options: [
            new Option('--lines <n>', 'How many of the latest lines').default('50'),
            new Option('--follow', 'Keep showing new lines, until Ctrl-C'),
          ],
          examples: ['logs show', 'logs show --lines 500', 'logs show --follow'],
          load: async () => (await import('../commands/logs-show.js')).showLogs,
        },
        {
          name: 'level',
          description: 'Show or change the log level of the running service, on all its processes',
          arguments: [
            new Argument('[level]', 'The new level; default returns to the configured one').choices(
              ['error', 'warn', 'info', 'debug', 'default'],
            ),
          ],
          examples: ['logs level', 'logs level debug', 'logs level default'],
          load: async () => (await import('../commands/logs.js')).logLevel,
        },
      ],
    },
  ],
};
