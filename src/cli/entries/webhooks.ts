import { Argument, Option } from 'commander';
import type { Entry } from '../entry.js';

const webhook = new Argument('<id>', 'Id of the webhook');
const example = (name: string): string => `webhook ${name} WEBHOOK_ID`;

/** URLs that changes of platforms are sent to. */
export const webhooks: Entry = {
  name: 'webhook',
  description: 'URLs that changes of platforms are sent to',
  commands: [
    {
      name: 'create',
      description: 'Send changes of all users of a platform to a URL, from now on',
      options: [
        new Option('--platform <id>', 'Id of the platform').makeOptionMandatory(),
        new Option('--url <url>', 'Where events are sent').makeOptionMandatory(),
        new Option('--types <a,b,…>', 'Which events, such as image.created; default: all'),
        new Option('--description <text>', 'What it is for'),
      ],
      offers: {
        '--types': async () => (await import('../../feed/webhooks/schemas.js')).eventTypes,
      },
      examples: [
        'webhook create --platform ID --url https://a.example/x',
        'webhook create --platform ID --url URL --types image.created',
      ],
      load: async () => (await import('../commands/webhook.js')).createWebhook,
    },
    {
      name: 'list',
      description: 'List webhooks, and why they are paused',
      options: [new Option('--platform <id>', 'Only those of one platform')],
      examples: ['webhook list', 'webhook list --platform PLATFORM_ID --json'],
      load: async () => (await import('../commands/webhook.js')).listWebhooks,
    },
    {
      name: 'test',
      description: 'Send an event of type webhook.test now, once',
      arguments: [webhook],
      examples: [example('test')],
      load: async () => (await import('../commands/webhook.js')).testWebhook,
    },
    {
      name: 'pause',
      description: 'Stop sending; changes made meanwhile are sent after resuming',
      arguments: [webhook],
      examples: [example('pause')],
      load: async () => (await import('../commands/webhook.js')).pauseWebhook,
    },
    {
      name: 'resume',
      description: 'Resume a paused webhook where it stopped',
      arguments: [webhook],
      examples: [example('resume')],
      load: async () => (await import('../commands/webhook.js')).resumeWebhook,
    },
    {
      name: 'deliveries',
      description: 'Show the latest attempts to deliver, newest first',
      arguments: [webhook],
      options: [new Option('--limit <n>', 'How many, up to 1000').default('20')],
      examples: [example('deliveries'), `${example('deliveries')} --limit 100 --json`],
      load: async () => (await import('../commands/webhook.js')).listDeliveries,
    },
    {
      name: 'replay',
      description: "Send everything after a position in the platform's change feed again",
      arguments: [webhook],
      options: [
        new Option(
          '--after <cursor>',
          'A "last" of that feed; 0 for everything that is kept',
        ).makeOptionMandatory(),
      ],
      examples: [`${example('replay')} --after 0`],
      load: async () => (await import('../commands/webhook.js')).replayWebhook,
    },
  ],
};
