import { ServiceError } from '../errors/catalogue.js';
import type { Claims } from './claims.js';
import type { Tokens } from './tokens.js';

/** The scheme words of the Authorization header. */
export type Scheme = 'Admin' | 'Platform' | 'User';

const scopeOfScheme = { Admin: 'admin', Platform: 'platform', User: 'user' } as const;

/**
 * Reads `Authorization: <scheme> <token>`.
 * @throws ServiceError 401 for anything but a standing access token under the right scheme word.
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
    throw new ServiceError('unauthorized', { message: `This needs "${example}".` });
  }
  const claims = await tokens.verifyAccess(token);
  if (claims.scope !== scopeOfScheme[scheme]) {
    throw new ServiceError('unauthorized', { message: `This needs a token of a ${scheme}.` });
  }
  return claims;
}

/**
 * Holds the ids of the path against the token: a platform reaches its own path, a user theirs.
 * The answer is the same whether or not the other one exists.
 */
export function authorise(claims: Claims, path: Partial<Record<string, string>>): void {
  const own =
    claims.scope === 'admin' ||
    (claims.scope === 'platform'
      ? path.platform_id?.toLowerCase() === claims.platformId
      : path.user_id?.toLowerCase() === claims.userId);
  if (!own) throw new ServiceError('forbidden');
}
