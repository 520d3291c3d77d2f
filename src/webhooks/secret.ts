import { randomBytes } from 'node:crypto';
import type { MasterKey } from '../auth/secrets.js';

const prefix = 'whsec_';
/** As many as Standard Webhooks allows at least are 24, and 64 at most. */
const secretBytes = 32;

/** What a sealed secret is bound to. */
const labelOf = (webhookId: string): string => `webhook ${webhookId}`;

/** A new secret, as receivers are given it, and encrypted. */
export function newSecret(master: MasterKey, webhookId: string) {
  const secret = `${prefix}${randomBytes(secretBytes).toString('base64')}`;
  return { secret, sealed: master.seal(Buffer.from(secret), labelOf(webhookId)) };
}

/** @throws OperatorError (78) when it was encrypted with another master key. */
export const openSecret = (master: MasterKey, webhookId: string, sealed: Buffer): string =>
  master.unseal(sealed, labelOf(webhookId)).toString();
