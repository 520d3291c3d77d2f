import { z } from 'zod';
import {
  day,
  dayOrTime,
  decimal,
  integer,
  latitude,
  longitude,
  oneOf,
  text,
  triState,
  defaultPageSize,
  lastIndex,
  pageSize,
  totalIsExact,
} from '../../../http/request-fields.js';
import { ext, megabytes } from '../../../http/record-fields.js';
import type { WallClock } from '../../../base/time.js';
import { imageRecord, trashFilter, withFields } from '../schemas.js';

/** The fields that a search covers. */
export const searchTypes = [
  'address',
  'building_name',
  'filename',
  'memo',
  'custom',
  'folder',
  'all',
] as const;
export type SearchType = (typeof searchTypes)[number];

export interface Search {
  readonly type: SearchType;
  readonly words: string;
}

/** Half the circumference of the earth in meters, plus a margin. */
const farthest = 20_100_000;

export const listQuery = (clock: WallClock) =>
  z.object({
    view_type: oneOf(['grid', 'list', 'map', 'grid_sep']).default('grid'),
    ...trashFilter.shape,
    has_det: triState.optional().meta({ description: 'None: not entered' }),
    ...withFields,
    search_type: oneOf(searchTypes).optional(),
    search: text(1, 1000).optional().meta({ description: 'without search_type: searches all' }),
    days_or_date_range: oneOf(['days_range', 'date_range']).optional(),
    days_range: integer(1, 36_600).optional().meta({ description: 'counted back from now' }),
    search_date_by: oneOf(['created_at', 'updated_at']).default('created_at'),
    start_date: dayOrTime(clock).optional(),
    end_date: dayOrTime(clock).optional().meta({ description: 'inclusive' }),
    // The order is fixed; any other one is rejected rather than ignored.
    sort_by: oneOf(['created_at']).optional(),
    sort_order: oneOf(['desc']).optional(),
    date: day(clock).optional().meta({ description: 'a day of created_at' }),
    latitude: latitude.optional().meta({ description: 'required for map' }),
    longitude: longitude.optional().meta({ description: 'required for map' }),
    radius: decimal(0, farthest)
      .optional()
      .meta({ ...ext, description: 'meters; for map' }),
    download: triState.optional().meta({ description: 'with view_type list: returns a ZIP' }),
    last_index: lastIndex.default(0),
    page_size: pageSize.default(defaultPageSize),
  });
export type ListQuery = z.output<ReturnType<typeof listQuery>>;

const page = {
  count: z.int().meta({ description: 'images in this response' }),
  total_count: z.int(),
  last_index: z.int(),
  page_size: z.int(),
  total_filesize_mb: megabytes,
  total_is_exact: totalIsExact,
};

export const imageList = z
  .object({ ...page, items: z.array(imageRecord) })
  .meta({ id: 'ImageList' });
export type ImageList = z.output<typeof imageList>;

export const imageDay = z
  .object({
    date: z.int().meta({ description: 'YYYYMMDD' }),
    count: z.int().meta({ description: 'images of that day in this response' }),
    images: z.array(imageRecord),
  })
  .meta({ id: 'ImageDay' });
export type ImageDay = z.output<typeof imageDay>;

/** The response for `view_type` grid_sep. */
export const imageDays = z
  .object({ ...page, total_images: z.int(), items: z.array(imageDay) })
  .meta({ id: 'ImageDays' });
export type ImageDays = z.output<typeof imageDays>;
