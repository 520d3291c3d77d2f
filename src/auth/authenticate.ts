import { ServiceError } from '../errors/catalogue.js';
import type { Claims } from './claims.js';
import type { Tokens } from './tokens.js';

/** The scheme words of the Authorization header. */
export type Scheme = 'Admin' | 'Platform' | 'User';

const scopeOfScheme = { Admin: 'admin', Platform: 'platform', User: 'user' } as const;

/**
 * Reads `Authorization: <scheme> <token>`.
 * @throws ServiceError 401 unless the header has a valid access token with the matching scheme
 *   word.
 */
export async function authenticate(
  header: string | undefined,
  scheme: Scheme,
  tokens: Tokens,
): Promise<Claims> {
  const example = `Authorization: ${scheme} <access token>`;
  if (!header) throw new ServiceError('unauthorized', { message: `Send "${example}".` });
  const [word, token, ...rest] = header.trim().split(/ +/);
  if (word?.toLowerCase() !== scheme.toLowerCase() || !token || rest.length > 0) {
    throw new ServiceError('unauthorized', { message: `This operation requires "${example}".` });
  }
  const claims = await tokens.verifyAccess(token);
  if (claims.scope !== scopeOfScheme[scheme]) {
    throw new ServiceError('unauthorized', {
      message: `This operation requires a ${scheme} token.`,
    });
  }
  return claims;
}
