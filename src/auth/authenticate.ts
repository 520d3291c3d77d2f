import { ServiceError } from '../errors/catalogue.js';
import type { Claims } from './claims.js';
import type { Tokens } from './tokens.js';

/** The scheme words of the Authorization header. */
export type Scheme = 'Admin' | 'Platform' | 'User';

const scopeOfScheme = { Admin: 'admin', Platform: 'platform', User: 'user' } as const;
const owners = { admin: 'an administrator', platform: 'a platform', user: 'a user' } as const;

/**
 * Reads `Authorization: <scheme> <token>`. `Bearer` does as well as the scheme word, since every token
 * says itself whose it is, and is handed out as one of this type.
 *
 * @throws ServiceError 401 unless the header has a valid access token of the scheme, under its word.
 */
export async function authenticate(
  header: string | undefined,
  scheme: Scheme,
  tokens: Tokens,
): Promise<Claims> {
  const example = `Authorization: ${scheme} <access token>`;
  if (!header) throw new ServiceError('unauthorized', { message: `Send "${example}".` });
  const [word = '', token, ...rest] = header.trim().split(/ +/);
  const words = [scheme.toLowerCase(), 'bearer'];
  if (!words.includes(word.toLowerCase()) || !token || rest.length > 0) {
    throw new ServiceError('unauthorized', { message: `This operation requires "${example}".` });
  }
  const claims = await tokens.verifyAccess(token);
  if (claims.scope !== scopeOfScheme[scheme]) {
    throw new ServiceError('unauthorized', {
      message: `This operation requires a ${scheme} token, not one of ${owners[claims.scope]}: send "${example}".`,
    });
  }
  return claims;
}
