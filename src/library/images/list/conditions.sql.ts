import type { Bind } from '../../../database/sql.js';
import { firstInTree, foldersInTree } from '../../tree/tree.js';
import { trashCondition } from '../images.sql.js';
import { directed, newestFirst, timeOf } from '../page.sql.js';
import type { Facing, Filter, Period } from './schemas.js';
import {
  around,
  inFolders,
  searched,
  uploadedTo,
  withCustom,
  type First,
  type Sought,
  type SoughtList,
} from './search.sql.js';

// Which images `i` of user `$1` a filter includes, as SQL.

export const pointOf = (
  { latitude, longitude }: { latitude: number; longitude: number },
  bind: Bind,
) => `ST_SetSRID(ST_MakePoint(${bind(longitude)}, ${bind(latitude)}), 4326)::geography`;

/** By the shorter way around; an image without a direction looks no way. */
function looking({ direction, within }: Facing, bind: Bind): string {
  const apart = `abs(i.direction - ${bind(direction)}::float8)`;
  return `least(${apart}, 360 - ${apart}) <= ${bind(within)}::float8`;
}

export const within = ({ column, from, to }: Period, bind: Bind): string[] => [
  ...(from ? [`${timeOf(column)} >= ${bind(from)}`] : []),
  ...(to ? [`${timeOf(column)} < ${bind(to)}`] : []),
];

export const isOfUpdates = ({ column }: Period): boolean => column === 'updated_at';

/** A filter of a folder and everything below it. */
export const isTree = (filter: Filter): filter is Filter & { folder: { id: string } } =>
  filter.folder?.below === true && filter.folder.id !== null;

/** The conditions that an index in the order of the list supports, except for a tree of folders. */
function ordered({ trash, periods, near, folder }: Filter, bind: Bind): string {
  const inRadius =
    near?.radius !== undefined &&
    `ST_DWithin(i.location, ${pointOf(near.coordinates, bind)}, ${bind(near.radius)})`;
  const inFolder = (id: string | null): string =>
    `i.folder_id ${id === null ? 'IS NULL' : `= ${bind(id)}`}`;
  return [
    `i.user_id = $1 ${trashCondition(trash)}`,
    ...(folder && !folder.below ? [inFolder(folder.id)] : []),
    ...periods.filter((period) => !isOfUpdates(period)).flatMap((period) => within(period, bind)),
    ...(near ? ['i.location IS NOT NULL'] : []),
    ...(inRadius ? [inRadius] : []),
  ].join(' AND ');
}

/** The conditions that each row is compared with, by `comparedColumns`. */
function byRow({ det, located, camera, near, periods }: Filter, bind: Bind): string {
  return [
    'true',
    ...(det === undefined ? [] : [det === null ? 'i.has_det IS NULL' : `i.has_det = ${bind(det)}`]),
    ...(located === undefined ? [] : [`i.location IS ${located ? 'NOT NULL' : 'NULL'}`]),
    ...(camera === undefined ? [] : [`i.camera = ${bind(camera)}`]),
    ...periods.filter(isOfUpdates).flatMap((period) => within(period, bind)),
    ...(near?.facing ? [looking(near.facing, bind)] : []),
  ].join(' AND ');
}

/** What an index finds in any order: the part that is likely to have the fewest matches first. */
function soughtIn({ uploadSetId, custom, search, circle }: Filter, bind: Bind): Sought[] {
  const customs = custom
    ? [withCustom(bind(custom.key), custom.value === undefined ? undefined : bind(custom.value))]
    : [];
  const words = search ? [searched(search.type, bind(search.words))] : [];
  return [
    ...(uploadSetId === undefined ? [] : [uploadedTo(bind(uploadSetId))]),
    ...(circle ? [around(pointOf(circle, bind), bind(circle.radius))] : []),
    ...(custom?.value === undefined ? [...words, ...customs] : [...customs, ...words]),
  ];
}

/** The folders of a tree, as a subquery. */
const foldersOf = ({ trash, folder }: Filter, bind: Bind) => ({
  user: '$1',
  folder: bind(folder?.id),
  active: trash === false,
});

const inTree = (filter: Filter, bind: Bind): string[] =>
  isTree(filter) ? [`i.folder_id IN (${foldersInTree(foldersOf(filter, bind))})`] : [];

/** The condition for images that match a filter. */
export function where(filter: Filter, bind: Bind): string {
  return [
    ordered(filter, bind),
    byRow(filter, bind),
    ...inTree(filter, bind),
    ...soughtIn(filter, bind).map(({ lookup }) => `i.id IN (${lookup()})`),
  ].join(' AND ');
}

/** The order of a list by time; the planner does not know that `IS NULL` is constant. */
export const orderIn = ({ folder, sortBy = 'created_at' }: Filter): string =>
  `${folder && !folder.below ? `${directed(sortBy, 'i.folder_id')}, ` : ''}${newestFirst(sortBy)}`;

const first =
  (filter: Filter, condition: string, bind: Bind): First =>
  (columns, limit) => {
    if (!isTree(filter))
      return `SELECT ${columns} FROM images i WHERE ${condition} ORDER BY ${orderIn(filter)} LIMIT ${limit}`;
    const tree = foldersOf(filter, bind);
    return firstInTree({ ...tree, columns, where: condition, order: orderIn(filter), limit });
  };

/** Of images of a tree that match a filter, those after the start of the page. */
export const firstOf = (filter: Filter, bind: Bind, later: string): First =>
  first(filter, `${ordered(filter, bind)} AND ${byRow(filter, bind)} ${later}`, bind);

/**
 * The parts of SQL from which pages are found; undefined if a filter has nothing to look up.
 * @param matching whether only images that the rest of the filter includes are scanned, however many
 *   have to be passed over.
 */
export function soughtList(
  filter: Filter,
  bind: Bind,
  later: string,
  matching: boolean,
): SoughtList | undefined {
  const [most, ...others] = soughtIn(filter, bind);
  if (!most) return undefined;
  const inOrder = ordered(filter, bind);
  const rows = byRow(filter, bind);
  return {
    sought: [most, ...others],
    first: first(filter, `${inOrder}${matching ? ` AND ${rows}` : ''} ${later}`, bind),
    byRow: rows,
    where: () => [inOrder, rows, ...inTree(filter, bind)].join(' AND '),
  };
}

/** Whether a filter has something to look up. */
export const hasSought = ({ uploadSetId, custom, search, circle }: Filter): boolean =>
  (uploadSetId ?? custom ?? search ?? circle) !== undefined;

/** What to look up for a view in no order, for which folders are looked up, too; undefined if nothing. */
export function soughtAnywhere(
  filter: Filter,
  bind: Bind,
): Pick<SoughtList, 'sought' | 'where'> | undefined {
  const tree = isTree(filter) ? [inFolders(foldersInTree(foldersOf(filter, bind)))] : [];
  const [most, ...others] = [...soughtIn(filter, bind), ...tree];
  if (!most) return undefined;
  const where = () => `${ordered(filter, bind)} AND ${byRow(filter, bind)}`;
  return { sought: [most, ...others], where };
}

/** Whether a filter has conditions besides the trash and a place that the list is sorted from. */
export const isNarrow = ({ periods, near, trash, sortBy, ...others }: Filter): boolean => {
  void [trash, sortBy];
  return (
    periods.length > 0 ||
    near?.facing !== undefined ||
    Object.values(others).some((value) => value !== undefined)
  );
};
