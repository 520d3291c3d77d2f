import { operation, type Operation } from '../../http/operation.js';
import { status } from './schemas.js';
import type { Installation } from './installation.js';

export const installationOperations = (installation: Installation): Operation[] => [
  operation(
    {
      id: 'getStatus',
      allow: ['read'],
      method: 'get',
      path: '/api/v1/status',
      scheme: 'Admin',
      ext: true,
      summary: 'Get the state of the installation; at most five seconds old',
      result: status,
    },
    () => installation.status(),
  ),
];
