import { indexedResult, pageQuery } from '../../../http/paging/pages.js';
import { z } from 'zod';
import { invalidField, missingField } from '../../../base/errors/catalogue.js';
import type { WallClock } from '../../../base/time.js';
import { ext, megabytes } from '../../../http/record-fields.js';
import {
  day,
  dayOrTime,
  decimal,
  flag,
  identifier,
  integer,
  latitude,
  longitude,
  oneOf,
  parseFolderTarget,
  text,
  triState,
  totalIsExact,
} from '../../../http/request-fields.js';
import { maxCamera } from '../../../imaging/readings.js';
import { customKey, customValue } from '../../annotations/schemas.js';
import type { Coordinates } from '../coordinates.js';
import type { TrashFilter } from '../images.sql.js';
import type { ListOrder, ListTime } from '../page.sql.js';
import { imageRecord, listTime, takenAtMeans, trashFilter, withFields } from '../schemas.js';

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
    search_date_by: oneOf(['created_at', 'updated_at', 'taken_at'])
      .default('created_at')
      .meta({ description: takenAtMeans }),
    start_date: dayOrTime(clock).optional(),
    end_date: dayOrTime(clock).optional().meta({ description: 'inclusive' }),
    sort_by: listTime.default('created_at').meta({ description: takenAtMeans }),
    sort_order: oneOf(['asc', 'desc'])
      .optional()
      .meta({ description: 'desc (default): newest first' }),
    date: day(clock)
      .optional()
      .meta({ description: 'a day of created_at, or of taken_at if search_date_by says so' }),
    latitude: latitude.optional().meta({ description: 'required for map' }),
    longitude: longitude.optional().meta({ description: 'required for map' }),
    radius: decimal(0, farthest)
      .optional()
      .meta({ ...ext, description: 'meters around latitude and longitude' }),
    located: flag.optional().meta({ ...ext, description: 'whether it has a location' }),
    camera: text(1, maxCamera)
      .optional()
      .meta({ ...ext, description: 'exactly this text' }),
    upload_set_id: identifier
      .optional()
      .meta({ ...ext, description: 'uploaded to this upload set, which is still there' }),
    custom_key: customKey
      .optional()
      .meta({ ...ext, description: 'with a custom of exactly this key' }),
    custom_value: customValue
      .optional()
      .meta({ ...ext, description: 'and exactly this value; with custom_key' }),
    folder_id: identifier
      .optional()
      .meta({ ...ext, description: 'in this folder; root, or a blank: at the top level' }),
    with_subfolders: flag
      .default(false)
      .meta({ ...ext, description: 'and in everything below it; with folder_id' }),
    download: triState.optional().meta({ description: 'with view_type list: returns a ZIP' }),
    ...pageQuery,
  });
export type ListQuery = z.output<ReturnType<typeof listQuery>>;

/** The fields of the list that choose images. */
export const filterQuery = (clock: WallClock) =>
  listQuery(clock).pick({
    has_delete_at: true,
    has_det: true,
    latitude: true,
    longitude: true,
    radius: true,
    search_type: true,
    search: true,
    days_or_date_range: true,
    days_range: true,
    search_date_by: true,
    start_date: true,
    end_date: true,
    date: true,
    located: true,
    camera: true,
    upload_set_id: true,
    custom_key: true,
    custom_value: true,
    folder_id: true,
    with_subfolders: true,
  });
export type FilterQuery = z.output<ReturnType<typeof filterQuery>>;

/** The filter that these fields express, in this order. @throws ServiceError as `filterOf` does. */
export function filterIn(query: FilterQuery, sortBy: ListTime, clock: WallClock): Filter {
  const { latitude, longitude, radius } = query;
  if ((latitude ?? longitude) !== undefined && radius === undefined) throw missingField('radius');
  const page = { with_history: false, last_index: 0, page_size: 1 };
  return filterOf({ ...query, ...page, sort_by: sortBy, view_type: 'grid' }, clock);
}

/** Which images a list includes. */
export interface Filter {
  readonly trash: TrashFilter;
  /** null: not entered; undefined: any. */
  readonly det?: boolean | null;
  readonly search?: Search;
  /** Whether they have a location; undefined: any. */
  readonly located?: boolean;
  readonly camera?: string;
  readonly uploadSetId?: string;
  /** Any value if there is none. */
  readonly custom?: { readonly key: string; readonly value?: string };
  readonly folder?: ListedFolder;
  readonly periods: readonly Period[];
  /** Only images with a location, nearest first; otherwise all images, newest first. */
  readonly near?: Near;
  /** Only images within a radius in meters, in whatever order. */
  readonly circle?: Coordinates & { readonly radius: number };
  /** By default, newest `created_at` first. */
  readonly sortBy?: ListOrder;
}

export interface ListedFolder {
  /** null: the top level, which is a folder only without what is below it. */
  readonly id: string | null;
  /** Whether what is in folders below it is included. */
  readonly below: boolean;
}

/** Bounds of a time range; `to` is exclusive. */
export interface Period {
  readonly column: ListTime | 'updated_at';
  readonly from?: Date;
  readonly to?: Date;
}

/** Around a point, within a radius in meters if there is one. */
export interface Near {
  readonly coordinates: Coordinates;
  readonly radius?: number;
  /** Only images that look this way. */
  readonly facing?: Facing;
}

/** In degrees from north, and to either side. */
export interface Facing {
  readonly direction: number;
  readonly within: number;
}

/**
 * The filter expressed by a list query.
 * @throws ServiceError `missing_field`, `invalid_field` for fields that do not go together.
 */
export function filterOf(query: ListQuery, clock: WallClock, now = new Date()): Filter {
  const search = searchOf(query);
  const periods = periodsOf(query, clock, now);
  const isNearest = query.view_type === 'map';
  const near = isNearest ? { coordinates: pointIn(query), radius: query.radius } : undefined;
  const circle =
    isNearest || query.radius === undefined
      ? undefined
      : { ...pointIn(query), radius: query.radius };
  const folder = folderOf(query);
  const custom = customOf(query);
  if (isDownload(query)) assertDownloadable(query);
  return {
    trash: query.has_delete_at ?? null,
    ...(query.has_det !== undefined && { det: query.has_det }),
    ...(search && { search }),
    ...(query.located !== undefined && { located: query.located }),
    ...(query.camera !== undefined && { camera: query.camera }),
    ...(query.upload_set_id !== undefined && { uploadSetId: query.upload_set_id }),
    ...(custom && { custom }),
    ...(folder && { folder }),
    periods,
    ...(near && { near }),
    ...(circle && { circle }),
    sortBy: query.sort_order === 'asc' ? `${query.sort_by} asc` : query.sort_by,
  };
}

export const isDownload = (query: ListQuery): boolean =>
  query.view_type === 'list' && query.download === true;

/**
 * Determines which images are listed and in which order, but not the page or the fields included.
 */
export function listIdentity(query: ListQuery): unknown {
  const { last_index, page_size, cursor, ...others } = query;
  const { with_memo, with_custom, with_history, download, ...list } = others;
  void [last_index, page_size, cursor, with_memo, with_custom, with_history, download];
  return list;
}

/** Grids and lists require the fields that go together; other views use whatever is given. */
const isStrict = ({ view_type: view }: ListQuery): boolean => view === 'grid' || view === 'list';

function searchOf(query: ListQuery): Search | undefined {
  const { search_type: type = 'all', search: words } = query;
  if (words !== undefined) return { type, words };
  if (query.search_type !== undefined && isStrict(query)) throw missingField('search');
  return undefined;
}

function customOf({ custom_key: key, custom_value: value }: ListQuery): Filter['custom'] {
  if (key === undefined && value !== undefined) throw missingField('custom_key');
  return key === undefined ? undefined : { key, ...(value !== undefined && { value }) };
}

function folderOf({ folder_id: given, with_subfolders: below }: ListQuery): Filter['folder'] {
  const id = given === 'root' ? null : parseFolderTarget(given);
  if (id === undefined && below) throw missingField('folder_id');
  return id === undefined || (id === null && below) ? undefined : { id, below };
}

function periodsOf(query: ListQuery, clock: WallClock, now: Date): Period[] {
  const range = rangeOf(query, clock, now);
  const dateColumn: ListTime = query.search_date_by === 'taken_at' ? 'taken_at' : 'created_at';
  return [
    ...(range ? [{ column: query.search_date_by, ...range }] : []),
    ...(query.date ? [{ column: dateColumn, ...query.date }] : []),
  ];
}

function rangeOf(
  query: ListQuery,
  clock: WallClock,
  now: Date,
): Omit<Period, 'column'> | undefined {
  const { days_range: days, start_date: start, end_date: end } = query;
  switch (query.days_or_date_range) {
    case undefined:
      return undefined;
    case 'days_range':
      if (days === undefined && isStrict(query)) throw missingField('days_range');
      return days === undefined ? undefined : { from: clock.daysBefore(now, days) };
    case 'date_range':
      if (!start && isStrict(query)) throw missingField('start_date');
      if (!end && isStrict(query)) throw missingField('end_date');
      if (start && end && end.to <= start.from) throw invalidField('end_date', 'after start_date');
      return { ...(start && { from: start.from }), ...(end && { to: end.to }) };
  }
}

function pointIn({ latitude, longitude }: ListQuery): Coordinates {
  if (latitude === undefined) throw missingField('latitude');
  if (longitude === undefined) throw missingField('longitude');
  return { latitude, longitude };
}

function assertDownloadable(query: ListQuery): void {
  if (query.search === undefined) throw missingField('search');
  if (query.date === undefined) throw missingField('date');
  if (query.has_delete_at === true)
    throw invalidField('has_delete_at', 'something other than True to download');
}

const page = {
  ...indexedResult,
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
