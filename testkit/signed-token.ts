import type { Holder } from '../src/http/auth/claims.js';
import type { Keyring } from '../src/http/auth/keyring.js';
import { encode } from '../src/http/auth/token-codec.js';

/** An access token of a service's keys that is valid for so many seconds; of less than 0, it has expired. */
export async function signedToken(
  keyring: Keyring,
  holder: Holder,
  lifetime: number,
): Promise<string> {
  const key = await keyring.current();
  return encode(key, { type: 'access', generation: 1, holder, lifetime }).token;
}
