import { randomBytes } from 'node:crypto';
import type { MasterKey } from '../../http/auth/secrets.js';

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
