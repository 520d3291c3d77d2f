import { ServiceError } from '../errors/catalogue.js';
import type { Claims } from './claims.js';

/**
 * Checks the ids in the path against the token: platforms and users can reach only their own paths.
 * The response is the same whether or not another's id exists. Where a platform reaches a user by a
 * path without its own id, whether the user is one of its own is for the handler to find out.
 */
export function authorize(claims: Claims, path: Partial<Record<string, string>>): void {
  const own =
    claims.scope === 'admin' ||
    (claims.scope === 'platform'
      ? path.platform_id === undefined || path.platform_id.toLowerCase() === claims.platformId
      : path.user_id?.toLowerCase() === claims.userId);
  if (!own) throw new ServiceError('forbidden');
}
