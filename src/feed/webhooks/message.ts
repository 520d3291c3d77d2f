import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { v5 as uuidv5 } from 'uuid';
import type { MasterKey } from '../../http/auth/secrets.js';
import type { PlatformChangeRecord } from '../changes/schemas.js';

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

/** The `data` of a message; for images, versions, memos, and customs, with the image's record. */
export type EventData = PlatformChangeRecord & { readonly record?: object | null };

/** The id under which an entry of a user's changes is sent to a webhook. */
export const messageId = (webhookId: string, userId: string, seq: number): string =>
  `msg_${uuidv5(`${userId}/${seq}`, webhookId)}`;

/** @param at time of the event. */
export function eventMessage(webhookId: string, at: Date, data: EventData): Message {
  const type = `${data.type}.${data.action}`;
  return {
    id: messageId(webhookId, data.user_id, data.seq),
    body: bodyOf(type, at, data),
  };
}

export const bodyOf = (type: string, at: Date, data: object): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data });

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
