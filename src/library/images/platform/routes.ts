import { operation, type Operation } from '../../../http/operation.js';
import {
  type PlatformImages,
  platformImages,
  platformPageQuery,
  platformUserImages,
} from './service.js';

export const platformImageOperations = (images: PlatformImages): Operation[] => [
  operation(
    {
      id: 'listPlatformImages',
      method: 'get',
      path: '/api/v1/platforms/:platform_id/images',
      scheme: 'Platform',
      summary: 'List images of all users of the platform, trash included, grouped by user',
      query: platformPageQuery,
      result: platformImages,
    },
    ({ path, input, resolveUrl }) => images.all(path.platform_id, input, resolveUrl),
  ),
  operation(
    {
      id: 'listPlatformUserImages',
      method: 'get',
      path: '/api/v1/platforms/:platform_id/users/:user_id/images',
      scheme: 'Platform',
      summary: 'List images of one user of the platform, trash included, newest first',
      query: platformPageQuery,
      result: platformUserImages,
      errors: ['user_not_found'],
    },
    ({ path, input, resolveUrl }) => {
      const owner = { platformId: path.platform_id, userId: path.user_id };
      return images.ofUser(owner, input, resolveUrl);
    },
  ),
];
