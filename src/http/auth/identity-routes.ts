import { operation, type Operation } from '../operation.js';
import type { Identities } from './identities.js';
import { identityRecord, newIdentity } from './identity-schemas.js';

const common = {
  path: '/api/v1/platforms/:platform_id/identity',
  scheme: 'Platform',
  allow: 'full',
  ext: true,
  result: identityRecord,
} as const;

export const identityOperations = (identities: Identities): Operation[] => [
  operation(
    {
      ...common,
      id: 'setIdentity',
      method: 'put',
      summary: "Let users sign in with tokens of the platform's own identity provider",
      body: newIdentity,
      errors: ['issuer_taken'],
    },
    ({ path, input }) => identities.set(path.platform_id, input),
  ),
  operation(
    {
      ...common,
      id: 'getIdentity',
      method: 'get',
      summary: "Get the platform's identity provider",
      errors: ['identity_not_found'],
    },
    ({ path }) => identities.get(path.platform_id),
  ),
  operation(
    {
      ...common,
      id: 'deleteIdentity',
      method: 'delete',
      summary: "Refuse tokens of the platform's identity provider, from the next request on",
      errors: ['identity_not_found'],
    },
    ({ path }) => identities.remove(path.platform_id),
  ),
];
