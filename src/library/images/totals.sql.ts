import {
  isTimedOut,
  onlyRow,
  parameters,
  type Queryable,
  row,
  type TimeLimited,
} from '../../database/sql.js';
import type { ListTotals } from '../../http/paging/pages.js';
import type { Coordinates } from './coordinates.js';
import type { TrashFilter } from './images.sql.js';

// Totals of lists: kept by triggers where a list is all of a user's images in some state (docs/adr/0003),
// counted in the others.

/**
 * SQL: the number of images, or their bytes, that a row of kept totals has for a trash filter.
 * @param of alias of the row.
 */
export function kept(trash: TrashFilter, what: 'images' | 'bytes', of?: string): string {
  const column = (state: 'active' | 'trashed'): string => `${of ? `${of}.` : ''}${state}_${what}`;
  return trash === null
    ? `${column('active')} + ${column('trashed')}`
    : column(trash ? 'trashed' : 'active');
}

/** Images of a user by the states that totals are kept for. */
export interface KeptStates {
  readonly trash: TrashFilter;
  /** null: not entered; undefined: any. */
  readonly det?: boolean | null;
  /** Whether they have a location. */
  readonly located?: boolean;
  /** Only those at the top level. */
  readonly topLevel?: true;
}

/** The total of at most twelve rows, however many images the user has. */
export function sumKept(
  db: Queryable,
  userId: string,
  { trash, det, located, topLevel }: KeptStates,
): Promise<ListTotals> {
  const { values, bind } = parameters(userId);
  const conditions = [
    'user_id = $1',
    ...(det === undefined ? [] : [`has_det = ${bind(String(det ?? 'none'))}`]),
    ...(located === undefined ? [] : [located ? 'located' : 'NOT located']),
    ...(topLevel ? ['NOT in_folder'] : []),
  ];
  return sum(db, trash, `image_totals WHERE ${conditions.join(' AND ')}`, values);
}

/** The total of the images directly in folders. @param folders a list or subquery, of `$1` perhaps. */
export const sumKeptInFolders = (
  db: Queryable,
  userId: string,
  folderId: string,
  trash: TrashFilter,
  folders = '$1',
): Promise<ListTotals> =>
  sum(db, trash, `folder_totals WHERE folder_id IN (${folders}) AND user_id = $2`, [
    folderId,
    userId,
  ]);

/** A user's images that have a location, or one within the radius in meters around a point. */
export interface LocatedImages {
  readonly trash: TrashFilter;
  readonly near: { readonly coordinates: Coordinates; readonly radius?: number };
}

/** Number and total bytes of these images. */
export async function sumNear(
  db: Queryable,
  userId: string,
  { trash, near: { coordinates, radius } }: LocatedImages,
): Promise<ListTotals> {
  const { latitude, longitude } = coordinates;
  const sums = (from: string, values: readonly unknown[]) =>
    row<ListTotals>(
      db,
      `SELECT (${kept(trash, 'images', 's')})::integer AS items, ${kept(trash, 'bytes', 's')} AS bytes
       FROM ${from}`,
      [userId, ...values],
    );
  const found =
    radius === undefined
      ? await sums('map_cells s WHERE s.user_id = $1 AND s.zoom = 0', [])
      : await sums('sum_within($1, $2, $3, $4) AS s', [latitude, longitude, radius]);
  return found ?? { items: 0, bytes: 0 };
}

const sum = (db: Queryable, trash: TrashFilter, from: string, values: readonly unknown[]) =>
  onlyRow<ListTotals>(
    db,
    `SELECT coalesce(sum(${kept(trash, 'images')}), 0)::integer AS items,
            coalesce(sum(${kept(trash, 'bytes')}), 0)::bigint AS bytes
     FROM ${from}`,
    values,
  );

/** Number of rows and the sum of their `bytes`. @param from follows FROM. */
export const countAndSum = (db: Queryable, from: string, values: readonly unknown[]) =>
  onlyRow<ListTotals>(
    db,
    `SELECT count(*)::integer AS items, coalesce(sum(bytes), 0)::bigint AS bytes FROM ${from}`,
    values,
  );

/** How long a page waits for its totals, in milliseconds. */
const totalsLimitMs = 500;

/** Counts, but gives up when it takes too long, and returns zero as a lower bound. */
export async function inTime(
  db: TimeLimited,
  count: (limited: Queryable) => Promise<ListTotals>,
): Promise<ListTotals> {
  const limited: Queryable = {
    query: (sql, parameters) => db.queryWithin(totalsLimitMs, sql, parameters),
  };
  try {
    return await count(limited);
  } catch (error) {
    if (!isTimedOut(error)) throw error;
    return { items: 0, bytes: 0, exact: false };
  }
}

/** `countAndSum` with this time limit. */
export const countInTime = (db: TimeLimited, from: string, values: readonly unknown[]) =>
  inTime(db, (limited) => countAndSum(limited, from, values));
