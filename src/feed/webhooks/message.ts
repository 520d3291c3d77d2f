import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { v5 as uuidv5 } from 'uuid';
import { secondMs } from '../../base/units.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import { sendOutgoing, type Outgoing } from '../../http/outgoing.js';
import type { PlatformChangeRecord } from '../changes/schemas.js';

// A message to a webhook: its secret, its text and signatures, and how it is posted.

const prefix = 'whsec_';
/** Standard Webhooks allows 24 to 64 bytes. */
const secretBytes = 32;

/** The label that binds a sealed secret to its webhook. */
const labelOf = (webhookId: string): string => `webhook ${webhookId}`;

/** A new secret, in the form given to receivers and encrypted. */
export function newSecret(master: MasterKey, webhookId: string) {
  const secret = `${prefix}${randomBytes(secretBytes).toString('base64')}`;
  return { secret, sealed: master.seal(Buffer.from(secret), labelOf(webhookId)) };
}

/** @throws OperatorError (78) when it was encrypted with another master key. */
export const openSecret = (master: MasterKey, webhookId: string, sealed: Buffer): string =>
  master.unseal(sealed, labelOf(webhookId)).toString();

/** The message for an entry of the change feed, as specified by Standard Webhooks. */
export interface Message {
  /**
   * The same for every attempt to send the entry to the webhook, so that receivers can detect
   * repeats.
   */
  readonly id: string;
  readonly body: string;
}

/** The `data` of a message; for images, versions, memos, and customs, with the image's record as JSON. */
export type EventData =
  | (PlatformChangeRecord & { readonly record?: string | null })
  | {
      readonly type: 'checkpoint';
      readonly action: 'created';
      readonly platform_id: string;
      /** The newest when it is sent, which may be newer than the one that it is about. */
      readonly checkpoint: string | null;
      readonly record?: undefined;
    };

/** The id under which an entry of a user's changes is sent to a webhook. */
export const messageId = (webhookId: string, userId: string, seq: number): string =>
  `msg_${uuidv5(`${userId}/${seq}`, webhookId)}`;

/** @param at time of the event. */
export const eventMessage = (id: string, at: Date, { record, ...data }: EventData): Message => ({
  id,
  body: bodyOf(`${data.type}.${data.action}`, at, data, record),
});

/** @param record as JSON; undefined if there is none. */
export function bodyOf(type: string, at: Date, data: object, record?: string | null): string {
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
  return record === undefined ? body : `${body.slice(0, -2)},"record":${record}}}`;
}

/** @param secrets all of them sign, so that receivers can switch from one to the next. */
export function signedHeaders(
  { id, body }: Message,
  secrets: readonly string[],
  now = new Date(),
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}

/** Time limit of an attempt, in milliseconds. */
export const attemptMs = 15 * secondMs;

/** Maximum length of a recorded error, in characters. */
const maxErrorLength = 300;

/** The outcome of an attempt: the status of the response, or why there is none. */
export type DeliveryOutcome = { readonly status: number } | { readonly error: string };

interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Posts once; only the status of the response is read. */
export async function post(
  sent: PostRequest,
  posting: Outgoing,
  stopping: AbortSignal,
): Promise<DeliveryOutcome> {
  const request = { method: 'POST', ...sent } as const;
  try {
    const bounds = { ms: attemptMs, stopping };
    const read = ({ statusCode }: { statusCode: number }) => Promise.resolve(statusCode);
    return { status: await sendOutgoing(request, posting, bounds, read) };
  } catch (error) {
    return { error: (error as Error).message.slice(0, maxErrorLength) };
  }
}
