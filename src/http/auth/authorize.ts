import { ServiceError } from '../../base/errors/catalogue.js';
import type { Claims } from './claims.js';

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
