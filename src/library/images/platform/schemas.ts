import { z } from 'zod';
import { defaultPageSize, pageNumber, pageSize } from '../../../http/request-fields.js';
import { id, megabytes } from '../../../http/record-fields.js';
import { imageRecord, withFields } from '../schemas.js';

export const platformPageQuery = z.object({
  with_history: withFields.with_history,
  page: pageNumber(1_000_000_000),
  page_size: pageSize.default(defaultPageSize),
});
export type PlatformPageFields = z.output<typeof platformPageQuery>;

const paging = {
  count: z.int().meta({ description: 'images in this response' }),
  total_count: z.int(),
  page: z.int(),
  page_size: z.int(),
  total_pages: z.int(),
};

const imagesOfUser = z
  .object({ user_id: id, result: z.array(imageRecord) })
  .meta({ id: 'ImagesOfUser' });

export const platformImages = z
  .object({ ...paging, items: z.array(imagesOfUser) })
  .meta({ id: 'PlatformImages' });
export type PlatformImagesPage = z.output<typeof platformImages>;

export const platformUserImages = z
  .object({ ...paging, total_filesize_mb: megabytes, items: z.array(imageRecord) })
  .meta({ id: 'PlatformUserImages' });
export type PlatformUserImagesPage = z.output<typeof platformUserImages>;
