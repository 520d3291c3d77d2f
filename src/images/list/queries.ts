import { PackedIds } from '../../database/packed-ids.js';
import { instantText, parameters, row, rows } from '../../database/sql.js';
import type { Bind, Queryable } from '../../database/sql.js';
import type { Filter } from './filter.js';
import { columnsFor, inTrash } from '../queries.js';
import type { ListedImage } from '../queries.js';
import { searchCondition } from './search-queries.js';
import type { Totals } from '../../paging/queries.js';
import type { Start } from '../../paging/page-cursors.js';

/** An image of a list, with the sort key that the next page may go on after. */
export type ListedRow = ListedImage & {
  readonly sortKey: readonly string[];
  /** Metres on the ellipsoid, where a list is by distance. */
  readonly distance?: number;
};

const pointOf = ({ latitude, longitude }: { latitude: number; longitude: number }, bind: Bind) =>
  `ST_SetSRID(ST_MakePoint(${bind(longitude)}, ${bind(latitude)}), 4326)::geography`;

/** Images `i` of user `$1` that a filter takes in. */
function where(filter: Filter, bind: Bind): string {
  const { det, search, near } = filter;
  const periods = filter.periods.flatMap(({ column, from, to }) => [
    ...(from ? [`i.${column} >= ${bind(from)}`] : []),
    ...(to ? [`i.${column} < ${bind(to)}`] : []),
  ]);
  const within =
    near?.radius !== undefined &&
    `ST_DWithin(i.location, ${pointOf(near.place, bind)}, ${bind(near.radius)})`;
  const others = [
    `i.user_id = $1 ${inTrash(filter.trash)}`,
    ...(det === undefined ? [] : [det === null ? 'i.has_det IS NULL' : `i.has_det = ${bind(det)}`]),
    ...periods,
    ...(near ? ['i.location IS NOT NULL'] : []),
    ...(within ? [within] : []),
  ].join(' AND ');
  return search
    ? `${others} AND ${searchCondition(search.type, bind(search.words), others)}`
    : others;
}

/** How many images match, and their bytes. */
export async function selectTotals(db: Queryable, userId: string, filter: Filter): Promise<Totals> {
  const { values, bind } = parameters(userId);
  const totals = await row<Totals>(
    db,
    `SELECT count(*)::integer AS items, coalesce(sum(i.bytes), 0)::bigint AS bytes
     FROM images i WHERE ${where(filter, bind)}`,
    values,
  );
  return totals ?? { items: 0, bytes: 0 };
}

/** Ids of all matches, newest first. */
export async function selectMatches(
  db: Queryable,
  userId: string,
  filter: Filter,
): Promise<PackedIds> {
  const { values, bind } = parameters(userId);
  const found = await row<{ ids: Buffer | null }>(
    db,
    `SELECT string_agg(uuid_send(i.id), ''::bytea ORDER BY i.created_at DESC, i.id DESC) AS ids
     FROM images i WHERE ${where(filter, bind)}`,
    values,
  );
  return new PackedIds(found?.ids ?? undefined);
}

/** What a list that is newest first goes on after. */
export const newestKey = `ARRAY[${instantText('i.created_at')}, i.id::text]`;

/** Images `i` behind the start of such a list; nothing when it starts at the newest. */
export const olderThan = ({ after }: Start, bind: Bind): string =>
  after
    ? `AND (i.created_at, i.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`
    : '';

/** Newest first. The ids are found in the index alone, so that a deep page skips no whole rows. */
export function selectNewest(
  db: Queryable,
  userId: string,
  filter: Filter,
  start: Start,
  limit: number,
): Promise<ListedRow[]> {
  const { values, bind } = parameters(userId);
  const matches = where(filter, bind);
  return rows(
    db,
    `WITH page AS MATERIALIZED (
       SELECT i.id FROM images i
       WHERE ${matches} ${olderThan(start, bind)}
       ORDER BY i.created_at DESC, i.id DESC
       OFFSET ${bind(start.offset)} LIMIT ${bind(limit)}
     )
     SELECT ${columnsFor(limit)}, ${newestKey} AS "sortKey"
     FROM page JOIN images i USING (id)
     ORDER BY i.created_at DESC, i.id DESC`,
    values,
  );
}

/**
 * Nearest first. The index orders by distance on a sphere, half a percent off: it says how far to
 * look for enough images, and among all within that reach the ellipsoid decides. A radius narrows
 * the reach afterwards: as a condition of the first look, it would have all within it measured.
 * Beside other conditions it stays there, since enough images that meet those may be far to seek.
 */
export function selectNearest(
  db: Queryable,
  userId: string,
  filter: Filter & Required<Pick<Filter, 'near'>>,
  { after, offset }: Start,
  limit: number,
): Promise<ListedRow[]> {
  const { values, bind } = parameters(userId);
  const { place, radius } = filter.near;
  const narrow = filter.search || filter.det !== undefined || filter.periods.length > 0;
  const matches = where(narrow ? filter : { ...filter, near: { place } }, bind);
  const point = pointOf(place, bind);
  const distance = `ST_Distance(i.location, ${point})`;
  const from = after
    ? `AND (${distance}, i.id) > (${bind(after[0])}::float8, ${bind(after[1])}::uuid)`
    : '';
  return rows(
    db,
    `WITH reach AS MATERIALIZED (
       SELECT max(distance) + 0.001 AS metres
       FROM (SELECT ${distance} AS distance FROM images i WHERE ${matches} ${from}
             ORDER BY i.location <-> ${point} LIMIT ${bind(offset + limit)}) AS enough
     ),
     page AS MATERIALIZED (
       SELECT i.id, ${distance} AS distance FROM images i
       WHERE ${matches} ${from}
         AND ST_DWithin(i.location, ${point}, least((SELECT metres FROM reach), ${bind(radius ?? null)}::float8))
       ORDER BY distance, i.id
       OFFSET ${bind(offset)} LIMIT ${bind(limit)}
     )
     SELECT ${columnsFor(limit)}, page.distance, ARRAY[page.distance::text, i.id::text] AS "sortKey"
     FROM page JOIN images i USING (id)
     ORDER BY page.distance, i.id`,
    values,
  );
}
