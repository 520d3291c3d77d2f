import { z } from 'zod';
import type { WallClock } from '../../../base/time.js';
import { operation, type Operation, type ResolveUrl } from '../../../http/operation.js';
import { timestamp } from '../../../http/record-fields.js';
import { idList } from '../../../http/request-fields.js';
import { filterIn, filterQuery } from '../list/schemas.js';
import type { ImageLists } from '../list/image-lists.js';
import type { ArchiveAddresses } from './addresses.js';
import { type Archives, type Contents, maxArchived } from './archive.js';
import { assertThere, selectWanted, type WantedImages } from './wanted.js';

const images = '/api/v1/users/:user_id/images' as const;

/** Of an operation that makes an address, of an archive or a ledger. */
export const makesAddress = {
  allow: ['read'],
  method: 'post',
  scheme: 'User',
  ext: true,
  keyless: true,
  inMaintenance: true,
  errors: [
    ...(['missing_field', 'folder_not_found', 'upload_set_not_found'] as const),
    ...(['image_not_found', 'image_in_trash', 'too_many_images', 'too_many_archives'] as const),
  ],
} as const;

/** Of an operation that sends what an address opens. */
export const opensAddress = {
  allow: ['read'],
  method: 'get',
  scheme: 'User',
  signed: true,
  ext: true,
  bare: true,
  result: z.string().meta({ format: 'binary' }),
  errors: ['folder_not_found', 'too_many_images'],
} as const;

export const addressUrl = z.string().meta({ description: 'needs no header; until `expires_at`' });

/** What there is to download. */
export const archive = z
  .object({
    url: addressUrl,
    count: z.int().meta({ description: 'images in the ZIP, if it were downloaded now' }),
    bytes: z.int().meta({ description: 'its length, if it were downloaded now' }),
    expires_at: timestamp,
  })
  .meta({ id: 'Archive' });
export type Archive = z.output<typeof archive>;

/** Up to so many images in place of filters. */
export function idsInPlace(most: number) {
  const limit = most.toLocaleString('en');
  return idList
    .refine((ids) => ids.length > 0 && ids.length <= most, {
      error: `a list of 1 to ${limit} ids`,
    })
    .optional()
    .meta({ description: `up to ${limit} images, in place of filters` });
}

const archiveFields = z.object({ image_ids: idsInPlace(maxArchived) });

const contentsOf =
  (wanted: WantedImages, resolveUrl: ResolveUrl): Contents =>
  async (tx) => ({
    ids: await selectWanted(tx, wanted, maxArchived + 1),
    root: wanted.filter.folder?.id ?? null,
    records: { include: { memos: true, customs: true }, resolveUrl },
  });

interface ArchiveRouteParts {
  readonly archives: Archives;
  readonly addresses: ArchiveAddresses;
  readonly lists: ImageLists;
  readonly clock: WallClock;
}

export const archiveOperations = ({
  archives,
  addresses,
  lists,
  clock,
}: ArchiveRouteParts): Operation[] => [
  operation(
    {
      ...makesAddress,
      id: 'createArchive',
      path: `${images}/archive`,
      summary: 'Get the address of a ZIP of images, of a list, or of a folder',
      query: filterQuery(clock),
      body: archiveFields,
      result: archive,
    },
    async ({ path, input, caller, resolveUrl }) => {
      const { image_ids: ids, ...fields } = input;
      const found = filterIn(fields, 'created_at', clock);
      const filter = { ...found, trash: found.trash === true };
      await lists.verify(path.user_id, filter);
      const wanted = { userId: path.user_id, filter, ids: ids && [...new Set(ids)] };
      const contents = contentsOf(wanted, resolveUrl);
      const size = await archives.measure(async (tx) => {
        await assertThere(tx, wanted);
        return contents(tx);
      });
      const { path: at, expires_at } = await addresses.make(wanted, caller);
      return { url: resolveUrl(at), ...size, expires_at };
    },
  ),
  operation(
    {
      ...opensAddress,
      id: 'getArchive',
      path: `${images}/archive/:archive_id`,
      summary: 'Download the ZIP of an address',
      stream: 'application/zip',
    },
    async ({ path, resolveUrl }) => {
      const wanted = await addresses.archive(path.user_id, path.archive_id);
      return archives.of(contentsOf(wanted, resolveUrl));
    },
  ),
];
