import { invalidField, missingField } from '../../../base/errors/catalogue.js';
import type { WallClock } from '../../../base/time.js';
import type { Coordinates } from '../coordinates.js';
import type { TrashFilter } from '../images.sql.js';
import type { ListQuery, Search } from './schemas.js';

/** Bounds of a time range; `to` is exclusive. */
export interface Period {
  readonly column: 'created_at' | 'updated_at';
  readonly from?: Date;
  readonly to?: Date;
}

/** Which images a list includes. */
export interface Filter {
  readonly trash: TrashFilter;
  /** null: not entered; undefined: any. */
  readonly det?: boolean | null;
  readonly search?: Search;
  readonly periods: readonly Period[];
  /** Only images with a location, nearest first; otherwise all images, newest first. */
  readonly near?: Near;
}

/** Around a point, within a radius in meters if there is one. */
export interface Near {
  readonly coordinates: Coordinates;
  readonly radius?: number;
}

/**
 * The filter expressed by a list query.
 * @throws ServiceError `missing_field`, `invalid_field` for fields that do not go together.
 */
export function filterOf(query: ListQuery, clock: WallClock, now = new Date()): Filter {
  const search = searchOf(query);
  const periods = periodsOf(query, clock, now);
  const near = query.view_type === 'map' ? nearOf(query) : undefined;
  if (isDownload(query)) assertDownloadable(query);
  return {
    trash: query.has_delete_at ?? null,
    ...(query.has_det !== undefined && { det: query.has_det }),
    ...(search && { search }),
    periods,
    ...(near && { near }),
  };
}

export const isDownload = (query: ListQuery): boolean =>
  query.view_type === 'list' && query.download === true;

/**
 * Determines which images are listed and in which order, but not the page or the fields included.
 */
export function listIdentity(query: ListQuery): unknown {
  const { last_index, page_size, with_memo, with_custom, with_history, download, ...list } = query;
  void [last_index, page_size, with_memo, with_custom, with_history, download];
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

function periodsOf(query: ListQuery, clock: WallClock, now: Date): Period[] {
  const range = rangeOf(query, clock, now);
  return [
    ...(range ? [{ column: query.search_date_by, ...range }] : []),
    ...(query.date ? [{ column: 'created_at' as const, ...query.date }] : []),
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

function nearOf({ latitude, longitude, radius }: ListQuery): Filter['near'] {
  if (latitude === undefined) throw missingField('latitude');
  if (longitude === undefined) throw missingField('longitude');
  return { coordinates: { latitude, longitude }, ...(radius !== undefined && { radius }) };
}

function assertDownloadable(query: ListQuery): void {
  if (query.search === undefined) throw missingField('search');
  if (query.date === undefined) throw missingField('date');
  if (query.has_delete_at === true)
    throw invalidField('has_delete_at', 'something other than True to download');
}
