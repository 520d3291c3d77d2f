import type { WallClock } from '../../base/time.js';
import { operation, type Operation } from '../../http/operation.js';
import { auditPage, auditQuery, platformAuditQuery } from './schemas.js';
import type { Audit } from './audit.js';

export const auditOperations = (audit: Audit, clock: WallClock): Operation[] => [
  operation(
    {
      id: 'readAudit',
      allow: ['read'],
      method: 'get',
      path: '/api/v1/audit',
      scheme: 'Admin',
      ext: true,
      summary: 'Who did what, newest first: acts, and changes of the records of a platform or user',
      query: auditQuery(clock),
      result: auditPage,
      errors: ['missing_field', 'invalid_cursor'],
    },
    ({ input }) => audit.page('admin', input),
  ),
  operation(
    {
      id: 'readPlatformAudit',
      allow: ['read'],
      method: 'get',
      path: '/api/v1/platforms/:platform_id/audit',
      scheme: 'Platform',
      ext: true,
      summary: 'Who did what to the platform and its users, newest first',
      query: platformAuditQuery(clock),
      result: auditPage,
      errors: ['invalid_cursor'],
    },
    ({ path, input }) => audit.page({ platformId: path.platform_id }, input),
  ),
];
