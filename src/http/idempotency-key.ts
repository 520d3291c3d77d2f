import type { IncomingMessage } from 'node:http';
import type { Claims } from './auth/claims.js';
import { invalidField } from '../base/errors/catalogue.js';
import type { KeyId } from './idempotency/keys.js';

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
  const owner = userId ?? platformId;
  if (owner === undefined || !takesKeys(operation)) return undefined;
  const key = checkedKey(headers['idempotency-key']);
  return key === undefined ? undefined : { owner, key };
}

/** @throws ServiceError `invalid_field` for a malformed key. */
export function checkedKey(key: string | string[] | undefined): string | undefined {
  if (key === undefined || (typeof key === 'string' && visible.test(key))) return key;
  throw invalidField(keyHeader, '1 to 255 visible ASCII characters, without blanks');
}
