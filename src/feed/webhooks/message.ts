import { Webhook } from 'standardwebhooks';
import { v5 as uuidv5 } from 'uuid';
import type { PlatformChangeRecord } from '../changes/schemas.js';

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
