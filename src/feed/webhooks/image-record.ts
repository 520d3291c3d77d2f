import { ServiceError } from '../../base/errors/catalogue.js';
import type { ResolveUrl } from '../../library/images/record.js';
import type { Images } from '../../library/images/service.js';

/** Reads records of images as in the API; null for deleted images. */
export const imageRecords =
  (images: Images, resolveUrl: ResolveUrl) =>
  async (userId: string, imageId: string): Promise<object | null> => {
    try {
      return await images.get(userId, imageId, {}, resolveUrl);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'image_not_found') return null;
      throw error;
    }
  };
