import { didYouMean } from '../../base/text.js';
import { failure, wrongUsage } from '../../base/errors/operator.js';
import { eventTypes, newWebhook, type WebhookRecord } from '../../feed/webhooks/schemas.js';
import { validate } from '../../http/form-fields.js';
import type { Context } from '../context.js';
import { withTenants } from '../tenants.js';
import { withWebhooks } from '../webhooks.js';

const webhookText = ({ id, url, state, paused_reason: reason }: WebhookRecord): string =>
  `${id}  ${state.padEnd(6)}  ${url}${reason === null ? '' : `  (${reason})`}`;

interface Wanted {
  readonly platform: string;
  readonly url: string;
  readonly types?: string;
  readonly description?: string;
}

/** @throws OperatorError (2) that names the type that was most likely meant. */
function checkTypes(given = ''): void {
  const words = given.split(',').map((word) => word.trim());
  const unknown = words.find((word) => word !== '' && !eventTypes.includes(word));
  if (unknown === undefined) return;
  const meant = didYouMean(unknown, eventTypes);
  if (meant === '') return; // the schema lists all
  throw wrongUsage(`There is no event type "${unknown}"${meant}`, { setting: '--types' });
}

export async function createWebhook(
  context: Context,
  { platform, ...given }: Wanted,
): Promise<void> {
  checkTypes(given.types);
  const wanted = validate(newWebhook, given);
  const document = await withTenants(context, async ({ platforms, webhooks }) => {
    const { id } = await platforms.get(platform);
    return webhooks.create(id, wanted);
  });
  const text = `${webhookText(document)}\nsecret: ${document.secret}\nThe secret is not shown again.`;
  context.ui.result({ document, text });
}

export async function listWebhooks(
  context: Context,
  { platform }: { platform?: string },
): Promise<void> {
  const document = await withTenants(context, async ({ platforms, webhooks }) =>
    webhooks.list(platform && (await platforms.get(platform)).id),
  );
  const text = document.map(webhookText).join('\n') || 'No webhooks yet.';
  context.ui.result({ document, text });
}

export async function pauseWebhook(
  context: Context,
  _options: object,
  [id = '']: string[],
): Promise<void> {
  const document = await withTenants(context, ({ webhooks }) =>
    webhooks.pause({ id }, 'paused by the operator'),
  );
  context.ui.result({ document, text: webhookText(document) });
}

export async function resumeWebhook(
  context: Context,
  _options: object,
  [id = '']: string[],
): Promise<void> {
  const document = await withTenants(context, ({ webhooks }) => webhooks.resume({ id }));
  context.ui.result({ document, text: webhookText(document) });
}

export async function testWebhook(
  context: Context,
  _options: object,
  [id = '']: string[],
): Promise<void> {
  const document = await withWebhooks(context, (upkeep) => upkeep.test(id));
  if ('error' in document) throw failure(`The receiver cannot be reached: ${document.error}.`);
  const { status } = document;
  if (status < 200 || status >= 300) {
    throw failure(`The receiver answered ${status}; only 2xx is success.`);
  }
  context.ui.result({ document, text: `The receiver answered ${status}.` });
}

export async function listDeliveries(
  context: Context,
  { limit }: { limit: string },
  [id = '']: string[],
): Promise<void> {
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 1 || count > 1_000) {
    throw wrongUsage('--limit must be a whole number from 1 to 1000.', { setting: '--limit' });
  }
  const document = await withWebhooks(context, (upkeep) => upkeep.attempts(id, count));
  const text = document
    .map(
      ({ at, type, user_id, seq, attempt, status, error, ms }) =>
        `${at}  ${String(status ?? error)}  ${type}  ${user_id}/${seq}  attempt ${attempt}, ${ms} ms`,
    )
    .join('\n');
  context.ui.result({ document, text: text || 'Nothing has been sent yet.' });
}

export async function replayWebhook(
  context: Context,
  { after }: { after: string },
  [id = '']: string[],
): Promise<void> {
  await withWebhooks(context, (upkeep) => upkeep.replay(id, after === '0' ? undefined : after));
  const text = `Everything after ${after === '0' ? 'the beginning' : after} is sent again.`;
  context.ui.result({ document: { id, after }, text });
}
