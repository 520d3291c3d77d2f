import { z } from 'zod';
import type { WallClock } from '../../base/time.js';
import { operation, type Operation } from '../../http/operation.js';
import { oneOf } from '../../http/request-fields.js';
import type { Archives } from './archive/archive.js';
import { addressList, addressQuery } from './addresses.js';
import { choices } from './choices.js';
import { checkFields, checkLimitText, checkResult, type PresenceCheck } from './check.js';
import { formats, type ImageExports } from './export.js';
import { countedDays, daysQuery, type DayCounts } from './days.js';
import {
  filterIn,
  filterOf,
  filterQuery,
  imageDays,
  imageList,
  isDownload,
  listIdentity,
  listQuery,
} from './list/schemas.js';
import type { ImageLists } from './list/image-lists.js';
import { bbox } from './map/schemas.js';
import {
  platformImages,
  platformPageQuery,
  platformUserImages,
  type PlatformImages,
} from './platform-images.js';
import {
  imageCount,
  imageQuery,
  imageRecord,
  includeOf,
  listTime,
  takenAtMeans,
  trashFilter,
} from './schemas.js';
import type { Images } from './images.js';

// The operations that read images, except for maps and groups.

const formatNames = ['geojson', 'csv', 'ndjson'] as const satisfies (keyof typeof formats)[];

/** The filters of the list, an area, and a format. */
const exportQuery = (clock: WallClock) =>
  filterQuery(clock).extend({
    date_by: listTime.default('created_at').meta({
      description: `the time that dates mean, and by which the newest come first; ${takenAtMeans}`,
    }),
    format: oneOf(formatNames),
    bbox: bbox.optional(),
  });

export interface ImageParts {
  readonly images: Images;
  readonly lists: ImageLists;
  readonly archives: Archives;
  readonly exports: ImageExports;
  readonly days: DayCounts;
  readonly presence: PresenceCheck;
  readonly clock: WallClock;
}

const all = '/api/v1/users/:user_id/images' as const;

const reading = { allow: ['read'], method: 'get', scheme: 'User' } as const;

export const imageOperations = (parts: ImageParts): Operation[] => {
  const { images, lists, archives, exports, days, presence, clock } = parts;
  return [
    operation(
      {
        ...reading,
        id: 'countImages',
        path: `${all}/count`,
        summary: 'Count the images of the user, by default outside the trash',
        query: trashFilter,
        result: imageCount,
        errors: ['user_not_found'],
      },
      async ({ path, input }) => {
        const { has_delete_at: trash = false } = input;
        return { count: (await images.totals(path.user_id, trash)).items };
      },
    ),
    operation(
      {
        ...reading,
        id: 'getImage',
        path: `${all}/:image_id`,
        summary: 'Get one image',
        query: imageQuery,
        result: imageRecord,
        errors: ['image_not_found'],
      },
      ({ path, input, resolveUrl }) =>
        images.get(path.user_id, path.image_id, includeOf(input), resolveUrl),
    ),
    operation(
      {
        ...reading,
        id: 'listImages',
        path: all,
        summary: 'List images as a grid, a list, by day, or by distance; or download them as a ZIP',
        query: listQuery(clock),
        result: z.union([imageList, imageDays]),
        stream: 'application/zip',
        errors: [
          ...(['missing_field', 'invalid_cursor', 'user_not_found'] as const),
          ...(['folder_not_found', 'upload_set_not_found', 'too_many_images'] as const),
        ],
      },
      async ({ path, input, resolveUrl }) => {
        const userId = path.user_id;
        const filter = filterOf(input, clock);
        await lists.verify(userId, filter);
        const include = includeOf(input);
        if (isDownload(input)) {
          return archives.ofList(userId, filter, { include, resolveUrl });
        }
        const { last_index: index, page_size: size, cursor } = input;
        const wanted = { userId, filter, list: listIdentity(input), index, cursor, size };
        return input.view_type === 'grid_sep'
          ? lists.days(wanted, include, resolveUrl)
          : lists.page(wanted, include, resolveUrl);
      },
    ),
    operation(
      {
        ...reading,
        id: 'exportImages',
        path: `${all}/export`,
        ext: true,
        bare: true,
        summary: 'Get all images of a list as GeoJSON, CSV or lines of JSON, newest first',
        query: exportQuery(clock),
        result: z.string().meta({ format: 'binary' }),
        stream: Object.values(formats).map(({ type }) => type),
        errors: ['missing_field', 'folder_not_found', 'upload_set_not_found'],
      },
      async ({ path, input, resolveUrl }) => {
        const { date_by: time, search_date_by: given } = input;
        const dates = { ...input, search_date_by: given === 'created_at' ? time : given };
        const filter = filterIn(dates, time, clock);
        await lists.verify(path.user_id, filter);
        const format = formats[input.format];
        const wanted = { userId: path.user_id, filter, box: input.bbox, format };
        return exports.of(wanted, resolveUrl);
      },
    ),
    operation(
      {
        ...reading,
        id: 'imageDays',
        path: `${all}/days`,
        scheme: ['User', 'Platform'],
        ext: true,
        versioned: true,
        summary: 'Count the images of a list by day, all days at once, newest first',
        query: daysQuery(clock),
        result: countedDays,
        errors: ['missing_field', 'user_not_found', 'folder_not_found', 'upload_set_not_found'],
      },
      async ({ path, input, caller }) => {
        const { sort_by: time } = input;
        const filter = filterIn(input, time, clock);
        const owner = { userId: path.user_id, platformId: caller.platformId };
        const version = await days.version(owner);
        await lists.verify(path.user_id, filter);
        return days.of(owner.userId, version, time, filter);
      },
    ),
    operation(
      {
        ...reading,
        id: 'imageChoices',
        path: `${all}/choices`,
        ext: true,
        summary: 'Get the cameras and customs of the newest images, to narrow lists to',
        result: choices,
      },
      ({ path }) => lists.choices(path.user_id),
    ),
    operation(
      {
        ...reading,
        id: 'imageAddresses',
        path: `${all}/addresses`,
        ext: true,
        summary: 'Get the addresses on the map that words are in, those of most images first',
        query: addressQuery,
        result: addressList,
      },
      ({ path, input }) => lists.addresses(path.user_id, input),
    ),
    operation(
      {
        id: 'checkImages',
        allow: ['upload'],
        method: 'post',
        path: `${all}/check`,
        scheme: 'User',
        summary: `Check which of up to ${checkLimitText} files the user has, as uploads or edits`,
        ext: true,
        keyless: true,
        inMaintenance: true,
        body: checkFields,
        result: checkResult,
      },
      ({ path, input }) => presence.check(path.user_id, input.hashes),
    ),
  ];
};

const ofPlatform = { ...reading, scheme: 'Platform', query: platformPageQuery } as const;

export const platformImageOperations = (images: PlatformImages): Operation[] => [
  operation(
    {
      ...ofPlatform,
      id: 'listPlatformImages',
      path: '/api/v1/platforms/:platform_id/images',
      summary: 'List images of all users of the platform, trash included, grouped by user',
      result: platformImages,
      errors: ['invalid_cursor'],
    },
    ({ path, input, resolveUrl }) => images.all(path.platform_id, input, resolveUrl),
  ),
  operation(
    {
      ...ofPlatform,
      id: 'listPlatformUserImages',
      path: '/api/v1/platforms/:platform_id/users/:user_id/images',
      summary: 'List images of one user of the platform, trash included, newest first',
      result: platformUserImages,
      errors: ['user_not_found', 'invalid_cursor'],
    },
    ({ path, input, resolveUrl }) => {
      const owner = { platformId: path.platform_id, userId: path.user_id };
      return images.ofUser(owner, input, resolveUrl);
    },
  ),
];
