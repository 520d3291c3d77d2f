import { instantText, parameters, row } from '../../../database/sql.js';
import type { Queryable } from '../../../database/sql.js';
import { kept } from '../totals.sql.js';
import { newestFirst, newestSortKey, olderThan, pageIds, selectPage } from '../page.sql.js';
import type { PageRange, RecordPage } from '../page.sql.js';
import type { Coordinates } from '../coordinates.js';
import { trashCondition } from '../images.sql.js';
import type { TrashFilter } from '../images.sql.js';
import type { ListTotals } from '../../../http/paging/pages.js';

/** The user's images that a trash filter covers. */
export interface Owned {
  readonly userId: string;
  readonly trash: TrashFilter;
}

const point = 'ST_SetSRID(ST_MakePoint($2, $3), 4326)::geography';
const here = (trash: TrashFilter): string =>
  `i.user_id = $1 AND i.location = ${point} ${trashCondition(trash)}`;

const none: ListTotals = { items: 0, bytes: 0 };

/** Number and total bytes of the images at exactly this location. */
export async function sumAtPlace(
  db: Queryable,
  { userId, trash }: Owned,
  { latitude, longitude }: Coordinates,
): Promise<ListTotals> {
  const found = await row<ListTotals>(
    db,
    `SELECT ${kept(trash, 'images', 'p')} AS items, ${kept(trash, 'bytes', 'p')} AS bytes FROM places p
     WHERE p.user_id = $1 AND p.cell = map_cell(${point}) AND p.location = ${point}`,
    [userId, longitude, latitude],
  );
  return found ?? none;
}

/**
 * Images at exactly this location, newest first. The location is the same for all of them, but
 * naming it in the ORDER BY lets the index supply the order: the planner does not recognize that "=
 * location" fixes the index's second column.
 */
export function selectAtPlace(
  db: Queryable,
  { userId, trash }: Owned,
  { latitude, longitude }: Coordinates,
  range: PageRange,
): Promise<RecordPage> {
  const { start, size } = range;
  const { values, bind } = parameters(userId, longitude, latitude);
  const where = `${here(trash)} ${olderThan(start, bind)}`;
  const order = `i.location, ${newestFirst()}`;
  const ids = pageIds({ where, order, offset: start.offset, limit: size + 1 }, bind);
  return selectPage(db, { page: { ids, key: newestSortKey() }, values }, range);
}

/** Number of locations, and total bytes of the images at all of them. */
export async function sumPlaces(db: Queryable, { userId, trash }: Owned): Promise<ListTotals> {
  const places = trash === null ? 'places' : trash ? 'trashed_places' : 'active_places';
  const found = await row<ListTotals>(
    db,
    `SELECT c.${places} AS items, ${kept(trash, 'bytes', 'c')} AS bytes FROM map_cells c
     WHERE c.user_id = $1 AND c.zoom = 0`,
    [userId],
  );
  return found ?? none;
}

/**
 * Locations, most recent first, each represented by its newest image, and beside it the number of
 * images there. Uploads after paging began do
 * not move a location ahead of the cursor: the key includes the start time, and a location with
 * later uploads is sorted by its newest image from before that time.
 */
export function selectPlaces(
  db: Queryable,
  { userId, trash }: Owned,
  range: PageRange,
): Promise<RecordPage> {
  const { start, size } = range;
  const limit = size + 1;
  const { values, bind } = parameters(userId);
  const began = start.after ? `${bind(start.after[2])}::timestamptz` : 'now()';
  const after = (at: string, id: string): string =>
    start.after
      ? `AND (${at}, ${id}) < (${bind(start.after[0])}::timestamptz, ${bind(start.after[1])}::uuid)`
      : '';
  const enough = bind(start.offset + limit);
  const images = `${kept(trash, 'images', 'p')} AS images`;
  const unchanged = keptNewest(trash).map(
    ({ state, condition }) => `
    (SELECT p.${state}_id AS id, p.${state}_at AS at, ${images} FROM places p
     WHERE p.user_id = $1 AND p.${state}_id IS NOT NULL ${condition}
       AND p.uploaded_at <= ${began} ${after(`p.${state}_at`, `p.${state}_id`)}
     ORDER BY p.${state}_at DESC, p.${state}_id DESC LIMIT ${enough})`,
  );
  const changed = `
    SELECT newest.id, newest.at, ${images} FROM places p
    CROSS JOIN LATERAL (
      SELECT i.id, i.created_at AS at FROM images i
      WHERE i.user_id = $1 AND i.location = p.location AND i.uploaded_at <= ${began}
        ${trashCondition(trash)}
      ORDER BY i.location, ${newestFirst()} LIMIT 1
    ) AS newest
    WHERE p.user_id = $1 AND p.uploaded_at > ${began} ${after('newest.at', 'newest.id')}`;
  const ids = `
    SELECT id, images FROM (${[...unchanged, changed].join(' UNION ALL ')}) AS place
    ORDER BY at DESC, id DESC OFFSET ${bind(start.offset)} LIMIT ${bind(limit)}`;
  const key = `${newestSortKey()} || ${instantText(began)}`;
  return selectPage(db, { page: { ids, key, beside: 'page.images' }, values }, range);
}

interface KeptNewest {
  readonly state: 'active' | 'trashed';
  readonly condition: string;
}

/**
 * Which of the two newest images of a place represents it; without a trash filter, the newer one
 * does.
 */
function keptNewest(trash: TrashFilter): KeptNewest[] {
  if (trash !== null) return [{ state: trash ? 'trashed' : 'active', condition: '' }];
  const newer = '(p.active_at, p.active_id) > (p.trashed_at, p.trashed_id)';
  return [
    { state: 'active', condition: `AND (p.trashed_id IS NULL OR ${newer})` },
    { state: 'trashed', condition: `AND (p.active_id IS NULL OR NOT ${newer})` },
  ];
}
