import { z } from 'zod';
import type { WallClock } from '../../../base/time.js';
import { operation, type Operation } from '../../../http/operation.js';
import { idList } from '../../../http/request-fields.js';
import { filterIn, filterQuery } from '../list/schemas.js';
import type { ImageLists } from '../list/image-lists.js';
import { archive, type ArchiveAddresses } from './addresses.js';
import { maxArchived } from './archive.js';

const limitText = maxArchived.toLocaleString('en');

const archiveFields = z.object({
  image_ids: idList
    .refine((ids) => ids.length > 0 && ids.length <= maxArchived, {
      error: `a list of 1 to ${limitText} ids`,
    })
    .optional()
    .meta({ description: `up to ${limitText} images, in place of filters` }),
});

interface ArchiveRouteParts {
  readonly addresses: ArchiveAddresses;
  readonly lists: ImageLists;
  readonly clock: WallClock;
}

const images = '/api/v1/users/:user_id/images' as const;

export const archiveOperations = ({ addresses, lists, clock }: ArchiveRouteParts): Operation[] => [
  operation(
    {
      id: 'createArchive',
      allow: ['read'],
      method: 'post',
      path: `${images}/archive`,
      scheme: 'User',
      ext: true,
      keyless: true,
      inMaintenance: true,
      summary: 'Get the address of a ZIP of images, of a list, or of a folder',
      query: filterQuery(clock),
      body: archiveFields,
      result: archive,
      errors: [
        ...(['missing_field', 'folder_not_found', 'upload_set_not_found'] as const),
        ...(['image_not_found', 'image_in_trash', 'too_many_images', 'too_many_archives'] as const),
      ],
    },
    async ({ path, input, caller, resolveUrl }) => {
      const { image_ids: ids, ...fields } = input;
      const found = filterIn(fields, 'created_at', clock);
      const filter = { ...found, trash: found.trash === true };
      await lists.verify(path.user_id, filter);
      const wanted = { userId: path.user_id, filter, ids: ids && [...new Set(ids)] };
      return addresses.make(wanted, caller, resolveUrl);
    },
  ),
  operation(
    {
      id: 'getArchive',
      allow: ['read'],
      method: 'get',
      path: `${images}/archive/:archive_id`,
      scheme: 'User',
      signed: true,
      ext: true,
      bare: true,
      summary: 'Download the ZIP of an address',
      result: z.string().meta({ format: 'binary' }),
      stream: 'application/zip',
      errors: ['folder_not_found', 'too_many_images'],
    },
    ({ path, resolveUrl }) => addresses.download(path.user_id, path.archive_id, resolveUrl),
  ),
];
