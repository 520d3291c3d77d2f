import { didYouMean } from '../../base/text.js';
import { Argument, Option } from 'commander';
import { failure, wrongUsage } from '../../base/errors/operator.js';
import type { WebhookRecord } from '../../feed/webhooks/schemas.js';
import type { Webhooks } from '../../feed/webhooks/webhooks.js';
import type { WebhookUpkeep } from '../../feed/webhooks/upkeep.js';
import { parseWhole } from '../ask.js';
import type { ById, CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants } from '../open.js';

const webhook = new Argument('<id>', 'Id of the webhook');

const example = (name: string): string => `webhook ${name} WEBHOOK_ID`;

export const command: CommandDetails = {
  commands: [
    {
      name: 'create',
      description: 'Send changes of all users of a platform to a URL, from now on',
      options: [
        new Option('--platform <id>', 'Id of the platform').makeOptionMandatory(),
        new Option('--url <url>', 'Where events are sent').makeOptionMandatory(),
        new Option(
          '--types <a,b,…>',
          'Which events, such as image.created; default: all but checkpoint.created',
        ),
        new Option('--description <text>', 'What it is for'),
      ],
      offers: {
        '--types': async () => (await import('../../feed/webhooks/schemas.js')).knownTypes,
      },
      examples: [
        'webhook create --platform ID --url https://a.example/x',
        'webhook create --platform ID --url URL --types image.created',
      ],
      run: createWebhook,
    },
    {
      name: 'list',
      description: 'List webhooks, and why they are paused',
      options: [new Option('--platform <id>', 'Only those of one platform')],
      examples: ['webhook list', 'webhook list --platform PLATFORM_ID --json'],
      run: listWebhooks,
    },
    {
      name: 'test',
      description: 'Send an event of type webhook.test now, once',
      arguments: [webhook],
      examples: [example('test')],
      run: testWebhook,
    },
    {
      name: 'pause',
      description: 'Stop sending; changes made meanwhile are sent after resuming',
      arguments: [webhook],
      examples: [example('pause')],
      run: (context, { id }: ById) =>
        changed(context, (webhooks) => webhooks.pause({ id }, 'paused by the operator')),
    },
    {
      name: 'resume',
      description: 'Resume a paused webhook where it stopped',
      arguments: [webhook],
      examples: [example('resume')],
      run: (context, { id }: ById) => changed(context, (webhooks) => webhooks.resume({ id })),
    },
    {
      name: 'deliveries',
      description: 'Show the latest attempts to deliver, newest first',
      arguments: [webhook],
      options: [new Option('--limit <n>', 'How many, up to 1000').default('20')],
      examples: [example('deliveries'), `${example('deliveries')} --limit 100 --json`],
      run: listDeliveries,
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
      run: replayWebhook,
    },
  ],
};

/** Runs `work` on the webhooks of a home, whether or not its service is running. */
const withWebhooks = <T>(
  context: Context,
  work: (upkeep: WebhookUpkeep) => Promise<T>,
): Promise<T> =>
  withTenants(context, async ({ db, config, clock, webhooks }) => {
    const { WebhookUpkeep } = await import('../../feed/webhooks/upkeep.js');
    const { Changes } = await import('../../feed/changes/changes.js');
    const { Targets, resolveName } = await import('../../http/outgoing.js');
    return work(
      new WebhookUpkeep({
        db,
        clock,
        webhooks,
        changes: new Changes(db, clock),
        posting: { targets: new Targets('webhooks', config), resolve: resolveName },
      }),
    );
  });

const webhookText = (webhook: WebhookRecord): string =>
  `${webhook.id}  ${webhook.state}  ${addressText(webhook)}`;

const addressText = ({ url, paused_reason: reason }: WebhookRecord): string =>
  reason === null ? url : `${url} (${reason})`;

interface Wanted {
  readonly platform: string;
  readonly url: string;
  readonly types?: string;
  readonly description?: string;
}

/** @throws OperatorError (2) that names the type that was most likely meant. */
async function checkTypes(given = ''): Promise<void> {
  const { knownTypes } = await import('../../feed/webhooks/schemas.js');
  const words = given.split(',').map((word) => word.trim());
  const unknown = words.find((word) => word !== '' && !knownTypes.includes(word));
  if (unknown === undefined) return;
  const meant = didYouMean(unknown, knownTypes);
  if (meant === '') return; // the schema lists all
  throw wrongUsage(`There is no event type "${unknown}"${meant}`, { setting: '--types' });
}

async function createWebhook(context: Context, { platform, ...given }: Wanted): Promise<void> {
  const { newWebhook } = await import('../../feed/webhooks/schemas.js');
  const { validate } = await import('../../http/request-fields.js');
  await checkTypes(given.types);
  const wanted = validate(newWebhook, given);
  const document = await withTenants(context, async ({ platforms, webhooks }) => {
    const { id } = await platforms.get(platform);
    return webhooks.create(id, wanted);
  });
  const text = `${webhookText(document)}\nsecret: ${document.secret}\nThe secret is not shown again.`;
  context.ui.result({ document, text });
}

async function listWebhooks(context: Context, { platform }: { platform?: string }): Promise<void> {
  const document = await withTenants(context, async ({ platforms, webhooks }) =>
    webhooks.list(platform && (await platforms.get(platform)).id),
  );
  context.ui.list({
    document,
    headers: ['ID', 'STATE', 'URL'],
    rows: document.map((w) => [w.id, w.state, addressText(w)]),
    none: 'No webhooks yet.',
  });
}

async function changed(
  context: Context,
  work: (webhooks: Webhooks) => Promise<WebhookRecord>,
): Promise<void> {
  const document = await withTenants(context, ({ webhooks }) => work(webhooks));
  context.ui.result({ document, text: webhookText(document) });
}

async function testWebhook(context: Context, { id }: ById): Promise<void> {
  const document = await withWebhooks(context, (upkeep) => upkeep.test(id));
  if ('error' in document) throw failure(`The receiver cannot be reached: ${document.error}.`);
  const { status } = document;
  if (status < 200 || status >= 300) {
    throw failure(`The receiver answered ${status}; only 2xx is success.`);
  }
  context.ui.result({ document, text: `The receiver answered ${status}.` });
}

async function listDeliveries(
  context: Context,
  { id, limit }: { id: string; limit: string },
): Promise<void> {
  const count = parseWhole('--limit', limit, 1, 1_000);
  const document = await withTenants(context, ({ webhooks }) => webhooks.deliveries({ id }, count));
  context.ui.list({
    document,
    headers: ['TIME', 'EVENT', 'ATTEMPT', 'MS', 'ANSWER, USER/ENTRY'],
    rows: document.map(({ at, type, user_id, seq, attempt, status, error, ms }) => [
      at,
      type,
      String(attempt),
      String(ms),
      `${String(status ?? error)}, ${user_id}/${seq}`,
    ]),
    none: 'Nothing has been sent yet.',
  });
}

async function replayWebhook(
  context: Context,
  { id, after }: { id: string; after: string },
): Promise<void> {
  await withWebhooks(context, (upkeep) => upkeep.replay(id, after === '0' ? undefined : after));
  const text = `Everything after ${after === '0' ? 'the beginning' : after} is sent again.`;
  context.ui.result({ document: { id, after }, text });
}
