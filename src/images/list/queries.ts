import { PackedIds } from '../../database/packed-ids.js';
import { parameters, row, rows } from '../../database/sql.js';
import type { Bind, Queryable } from '../../database/sql.js';
import type { TimeLimited } from '../../database/time-limit.js';
import type { Filter } from './filter.js';
import { newestFirst, newestSortKey, olderThan, pageIds, pageQuery } from '../page-queries.js';
import type { ListedRow } from '../page-queries.js';
import { trashCondition } from '../queries.js';
import { countInTime } from '../totals-queries.js';
import { searchCondition } from './search-queries.js';
import type { ListTotals } from '../../paging/totals.js';
import type { PagePosition } from '../../paging/page-cursors.js';

const pointOf = ({ latitude, longitude }: { latitude: number; longitude: number }, bind: Bind) =>
  `ST_SetSRID(ST_MakePoint(${bind(longitude)}, ${bind(latitude)}), 4326)::geography`;

/** Images `i` of user `$1` that match a filter, whatever it searches for. */
export function unsearched(filter: Filter, bind: Bind): string {
  const { det, near } = filter;
  const periods = filter.periods.flatMap(({ column, from, to }) => [
    ...(from ? [`i.${column} >= ${bind(from)}`] : []),
    ...(to ? [`i.${column} < ${bind(to)}`] : []),
  ]);
  const within =
    near?.radius !== undefined &&
    `ST_DWithin(i.location, ${pointOf(near.coordinates, bind)}, ${bind(near.radius)})`;
  return [
    `i.user_id = $1 ${trashCondition(filter.trash)}`,
    ...(det === undefined ? [] : [det === null ? 'i.has_det IS NULL' : `i.has_det = ${bind(det)}`]),
    ...periods,
    ...(near ? ['i.location IS NOT NULL'] : []),
    ...(within ? [within] : []),
  ].join(' AND ');
}

/** Images `i` of user `$1` that match a filter. */
function where(filter: Filter, bind: Bind): string {
  const { search } = filter;
  const others = unsearched(filter, bind);
  if (!search) return others;
  return `${others} AND ${searchCondition({ type: search.type, words: bind(search.words) })}`;
}

/** Number and total bytes of matching images, as far as they can be counted in time. */
export function selectListTotals(
  db: TimeLimited,
  userId: string,
  filter: Filter,
): Promise<ListTotals> {
  const { values, bind } = parameters(userId);
  return countInTime(db, `images i WHERE ${where(filter, bind)}`, values);
}

/** Ids of all matches, newest first. */
export async function selectMatchingIds(
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

/** Newest first. */
export function selectNewest(
  db: Queryable,
  userId: string,
  filter: Filter,
  start: PagePosition,
  limit: number,
): Promise<ListedRow[]> {
  const { values, bind } = parameters(userId);
  const order = newestFirst;
  const matches = `${where(filter, bind)} ${olderThan(start, bind)}`;
  const ids = pageIds({ where: matches, order, offset: start.offset, limit }, bind);
  return rows(db, pageQuery({ ids, key: newestSortKey, order, limit }), values);
}

/**
 * Nearest first. The index orders by distance on a sphere, which is off by up to half a percent: it
 * determines how far to look for enough images, and the ellipsoid then orders everything within
 * that reach. A radius narrows the reach afterward: as a condition of the first step, it would have
 * everything within it measured. Combined with other conditions it stays in the first step, since
 * enough matches may be far away.
 */
export function selectNearest(
  db: Queryable,
  userId: string,
  filter: Filter & Required<Pick<Filter, 'near'>>,
  { after, offset }: PagePosition,
  limit: number,
): Promise<ListedRow[]> {
  const { values, bind } = parameters(userId);
  const { coordinates, radius } = filter.near;
  const narrow = filter.search || filter.det !== undefined || filter.periods.length > 0;
  const matches = where(narrow ? filter : { ...filter, near: { coordinates } }, bind);
  const point = pointOf(coordinates, bind);
  const distance = `ST_Distance(i.location, ${point})`;
  const from = after
    ? `AND (${distance}, i.id) > (${bind(after[0])}::float8, ${bind(after[1])}::uuid)`
    : '';
  const reach = `reach AS MATERIALIZED (
    SELECT max(distance) + 0.001 AS metres
    FROM (SELECT ${distance} AS distance FROM images i WHERE ${matches} ${from}
          ORDER BY i.location <-> ${point} LIMIT ${bind(offset + limit)}) AS enough
  )`;
  const within = `ST_DWithin(i.location, ${point},
    least((SELECT metres FROM reach), ${bind(radius ?? null)}::float8))`;
  const ids = pageIds(
    {
      columns: [`${distance} AS distance`],
      where: `${matches} ${from} AND ${within}`,
      order: 'distance, i.id',
      offset,
      limit,
    },
    bind,
  );
  const page = pageQuery({
    before: [reach],
    ids,
    columns: ['page.distance'],
    key: 'ARRAY[page.distance::text, i.id::text]',
    order: 'page.distance, i.id',
    limit,
  });
  return rows(db, page, values);
}
