import type { Annotations } from '../annotations/service.js';
import type { Images } from './service.js';

/** Dependencies of the memo and custom routes. */
export interface AnnotationParts {
  readonly annotations: Annotations;
  readonly images: Images;
}

/** Text counts against the quota. */
export const quotaErrors = ['storage_quota_exceeded', 'platform_limit_exceeded'] as const;

/** The image identified by a path, and its user. */
export const imageOfPath = (path: { readonly user_id: string; readonly image_id: string }) => ({
  userId: path.user_id,
  imageId: path.image_id,
});
