import type { IncomingMessage } from 'node:http';
import type { Claims } from '../auth/claims.js';
import { invalidField } from '../errors/catalogue.js';
import type { KeyId } from '../idempotency/keys.js';

/** The request header, and the response header of replays. */
export const keyHeader = 'Idempotency-Key';
export const replayedHeader = 'Idempotency-Replayed';

/** The properties of an operation that decide whether it accepts keys. */
interface Keyable {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly keyless?: true;
}

const visible = /^[!-~]{1,255}$/;

/** Whether an operation accepts keys. */
export const takesKeys = ({ method, keyless }: Keyable): boolean =>
  method !== 'get' && keyless !== true;

/**
 * The key of a request and its owner; undefined if it has none.
 * @throws ServiceError `invalid_field` for a malformed one.
 */
export function keyOf(
  operation: Keyable,
  { headers }: IncomingMessage,
  { userId, platformId }: Claims,
): KeyId | undefined {
  const key = headers['idempotency-key'];
  const owner = userId ?? platformId;
  if (key === undefined || owner === undefined || !takesKeys(operation)) return undefined;
  if (typeof key === 'string' && visible.test(key)) return { owner, key };
  throw invalidField(keyHeader, '1 to 255 visible ASCII characters, without blanks');
}
