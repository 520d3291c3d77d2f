import {
  cursorQuery,
  indexedResult,
  numberedResult,
  pageQuery,
} from '../../../http/paging/pages.js';
import { z } from 'zod';
import {
  decimal,
  latitude,
  longitude,
  triState,
  pageNumber,
} from '../../../http/request-fields.js';
import { ext, megabytes, timestamp } from '../../../http/record-fields.js';
import { imageRecord, trashFilter, withFields } from '../schemas.js';

/** The default of `direction_within`, in degrees. */
export const usualWithin = 30;

/** Meters; enough for a city, while the read stays within one neighborhood of the index. */
const radius = decimal(0, 50_000);

export const groupFields = z.object({
  use_radius: triState.optional(),
  latitude: latitude.optional(),
  longitude: longitude.optional(),
  radius: radius.default(100).meta({ description: 'meters; with use_radius True' }),
  direction: decimal(0, 360)
    .optional()
    .meta({ ...ext, description: 'degrees from north; with use_radius True' }),
  direction_within: decimal(0, 180)
    .optional()
    .meta({
      ...ext,
      description: `degrees by which an image may look another way; default ${usualWithin}`,
    }),
  ...trashFilter.shape,
  ...withFields,
  ...cursorQuery,
});
export type GroupFields = z.output<typeof groupFields>;

export const groupQuery = groupFields.extend(pageQuery);
export const pagedGroupQuery = groupFields.extend({
  page: pageNumber(1_000_000),
});

/** The address columns that a location takes from its newest image. */
export const placeAddress = imageRecord.pick({
  address_road: true,
  address_land: true,
  building_name: true,
});

/** Images that share one location. */
export const placeRecord = z
  .object({
    latitude: z.number(),
    longitude: z.number(),
    ...placeAddress.shape,
    count: z.int(),
    latest_created_at: timestamp,
    image: imageRecord,
  })
  .meta({ id: 'Place' });
export type PlaceRecord = z.output<typeof placeRecord>;

const matches = {
  total_filesize_mb: megabytes,
  items: z.union([z.array(imageRecord), z.array(placeRecord)]),
};

export const groupResult = z.object({ ...indexedResult, ...matches }).meta({ id: 'ImageGroup' });
export const pagedGroupResult = z
  .object({ ...numberedResult, ...matches })
  .meta({ id: 'PagedImageGroup' });
