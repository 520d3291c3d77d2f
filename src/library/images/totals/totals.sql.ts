import { parameters, row } from '../../../database/sql.js';
import type { Queryable } from '../../../database/sql.js';
import type { ListTotals } from '../../../http/paging/totals.js';
import type { TrashFilter } from '../images.sql.js';

/** The counters of a row of kept totals that a trash filter covers. */
export const countSql = (trash: TrashFilter, what: 'images' | 'bytes' = 'images'): string =>
  trash === null ? `active_${what} + trashed_${what}` : `${trash ? 'trashed' : 'active'}_${what}`;

async function sum(
  db: Queryable,
  trash: TrashFilter,
  from: string,
  values: readonly unknown[],
): Promise<ListTotals> {
  const totals = await row<ListTotals>(
    db,
    `SELECT coalesce(sum(${countSql(trash)}), 0)::integer AS items,
            coalesce(sum(${countSql(trash, 'bytes')}), 0)::bigint AS bytes
     FROM ${from}`,
    values,
  );
  if (!totals) throw new Error('an aggregate returned no row');
  return totals;
}

/** Images of a user by the states that totals are kept for. */
export interface KeptStates {
  readonly trash: TrashFilter;
  /** null: not entered; undefined: any. */
  readonly det?: boolean | null;
  /** Only those with a location. */
  readonly located?: true;
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
    ...(located ? ['located'] : []),
    ...(topLevel ? ['NOT in_folder'] : []),
  ];
  return sum(db, trash, `image_totals WHERE ${conditions.join(' AND ')}`, values);
}

/** The total of the images directly in a folder. */
export const sumKeptInFolder = (
  db: Queryable,
  userId: string,
  folderId: string,
  trash: TrashFilter,
): Promise<ListTotals> =>
  sum(db, trash, 'folder_totals WHERE folder_id = $1 AND user_id = $2', [folderId, userId]);
