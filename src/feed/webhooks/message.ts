import { randomBytes } from 'node:crypto';
import { type LookupFunction, isIPv6 } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { v5 as uuidv5 } from 'uuid';
import { withDeadline } from '../../base/concurrency.js';
import { guarded, ignore } from '../../base/guarded.js';
import { version } from '../../base/installed-files.js';
import { secondMs } from '../../base/units.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import type { PlatformChangeRecord } from '../changes/schemas.js';
import { numericHost, type Targets, type Resolve } from './target.js';

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
export type EventData = PlatformChangeRecord & { readonly record?: string | null };

/** The id under which an entry of a user's changes is sent to a webhook. */
export const messageId = (webhookId: string, userId: string, seq: number): string =>
  `msg_${uuidv5(`${userId}/${seq}`, webhookId)}`;

/** @param at time of the event. */
export function eventMessage(webhookId: string, at: Date, { record, ...data }: EventData): Message {
  const type = `${data.type}.${data.action}`;
  return {
    id: messageId(webhookId, data.user_id, data.seq),
    body: bodyOf(type, at, data, record),
  };
}

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

export interface Posting {
  readonly targets: Targets;
  readonly resolve: Resolve;
}

interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Posts once, on a separate connection to an IP that has been checked. Redirects are not followed;
 * only the status of the response is read.
 */
export async function post(
  sent: PostRequest,
  posting: Posting,
  stopping: AbortSignal,
): Promise<DeliveryOutcome> {
  try {
    const attempt = (until: AbortSignal) => statusOf(sent, posting, until);
    return { status: await withDeadline(stopping, attemptMs, attempt) };
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    const reason = isLate ? 'no answer within 15 s' : textOf(error);
    return { error: reason.slice(0, maxErrorLength) };
  }
}

async function statusOf(sent: PostRequest, { targets, resolve }: Posting, signal: AbortSignal) {
  const objection = targets.objectionTo(sent.url);
  if (objection !== undefined) throw new Error(`url must be ${objection}`);
  const url = new URL(sent.url);
  const found = numericHost(url) === undefined ? await resolve(url.hostname, signal) : [];
  if (!found.every((ip) => targets.allowedIps.allows(ip))) {
    // Platforms can read this message, so it must not reveal the IPs of the operator's hosts.
    const reason = `${url.hostname} resolves to an IP that is not public`;
    throw new Error(`${reason}, which needs the setting webhooks.allow_networks`);
  }
  // Loaded with the first delivery only: it takes 7 MB and a tenth of a second.
  const { Client } = await import('undici');
  const client = new Client(url.origin, {
    connect: { lookup: pinnedTo(found), timeout: attemptMs },
    headersTimeout: attemptMs,
  });
  try {
    const { statusCode, body } = await client.request({
      method: 'POST',
      path: url.pathname + url.search,
      body: sent.body,
      signal,
      headers: { ...sent.headers, 'user-agent': `imgstore/${version()}` },
    });
    body.on('error', guarded(ignore, ignore)); // the body is not read to its end
    return statusCode;
  } finally {
    await client.destroy();
  }
}

/** Resolves every name to these IPs, at least one. */
const pinnedTo =
  (ips: readonly string[]): LookupFunction =>
  (_name, { all }, callback) => {
    const found = ips.map((ip) => ({ address: ip, family: isIPv6(ip) ? 6 : 4 }));
    const [{ address, family } = { address: '', family: 4 }] = found;
    if (all) callback(null, found);
    else callback(null, address, family);
  };

/** The message of an error; for several failed connections, that of the first. */
function textOf(error: unknown): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return inner instanceof Error ? inner.message || inner.name : String(inner);
}
