import { ServiceError } from '../../base/errors/catalogue.js';
import type { Claims } from './claims.js';
import type { Tokens } from './tokens.js';

/**
 * Checks the ids in the path against the token: platforms and users can access only their own
 * paths. The response does not depend on whether another's id exists. When a platform accesses a
 * user on a path without the platform's id, the handler must check that the user belongs to it.
 */
export function authorize(claims: Claims, path: Partial<Record<string, string>>): void {
  const own =
    claims.scope === 'admin' ||
    (claims.scope === 'platform'
      ? path.platform_id === undefined || path.platform_id.toLowerCase() === claims.platformId
      : path.user_id?.toLowerCase() === claims.userId);
  if (!own) throw new ServiceError('forbidden');
}

/** The scheme words of the Authorization header. */
export type Scheme = 'Admin' | 'Platform' | 'User';

const scopeOfScheme = { Admin: 'admin', Platform: 'platform', User: 'user' } as const;
const owners = { admin: 'an administrator', platform: 'a platform', user: 'a user' } as const;

/**
 * Reads `Authorization: <scheme> <token>`. `Bearer` is accepted in place of the scheme word, since
 * every token identifies its holder and is issued with this type.
 *
 * @throws ServiceError 401 unless the header has a valid access token of one of the schemes, under
 *   its scheme word.
 */
export async function authenticate(
  header: string | undefined,
  schemes: readonly Scheme[],
  tokens: Tokens,
): Promise<Claims> {
  const examples = schemes.map((scheme) => `"Authorization: ${scheme} <access token>"`);
  const example = examples.join(' or ');
  if (!header) throw new ServiceError('unauthorized', { message: `Send ${example}.` });
  const [word = '', token, ...rest] = header.trim().split(/ +/);
  const good = schemes.filter((scheme) =>
    [scheme.toLowerCase(), 'bearer'].includes(word.toLowerCase()),
  );
  if (good.length === 0 || !token || rest.length > 0) {
    throw new ServiceError('unauthorized', { message: `This operation requires ${example}.` });
  }
  const claims = await tokens.verifyAccess(token);
  if (!good.some((scheme) => claims.scope === scopeOfScheme[scheme])) {
    throw new ServiceError('unauthorized', {
      message: `This operation requires a ${good.join(' or ')} token, not one of ${owners[claims.scope]}: send ${example}.`,
    });
  }
  return claims;
}
