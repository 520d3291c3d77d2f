import { instantText, parameters, row, rows } from '../../database/sql.js';
import type { Bind, Queryable } from '../../database/sql.js';
import { idBatches } from '../batch-queries.js';
import type { ListedRow } from '../list/queries.js';
import { columnsFor, inTrash } from '../queries.js';
import type { TrashFilter } from '../queries.js';
import type { Totals } from '../../paging/queries.js';
import type { Start } from '../../paging/page-cursors.js';

/** The images directly in a folder, or at the top level. */
export interface FolderPlace {
  readonly userId: string;
  readonly folderId: string | null;
  readonly trash: TrashFilter;
}

/** Images `i` of user `$1` in a place; the top level has no id to bind. */
const inPlace = ({ folderId, trash }: FolderPlace, bind: Bind): string =>
  `i.user_id = $1 AND i.folder_id ${folderId === null ? 'IS NULL' : `= ${bind(folderId)}`} ${inTrash(trash)}`;

/** How many images there are, and their bytes. */
export async function sumInFolder(db: Queryable, place: FolderPlace): Promise<Totals> {
  const { values, bind } = parameters(place.userId);
  const totals = await row<Totals>(
    db,
    `SELECT count(*)::int AS items, coalesce(sum(i.bytes), 0)::bigint AS bytes
     FROM images i WHERE ${inPlace(place, bind)}`,
    values,
  );
  return totals ?? { items: 0, bytes: 0 };
}

const sortKeys = {
  created_at: { column: 'i.created_at', type: 'timestamptz', text: instantText('i.created_at') },
  updated_at: { column: 'i.updated_at', type: 'timestamptz', text: instantText('i.updated_at') },
  name: { column: 'i.filename', type: 'text', text: 'i.filename' },
};

export interface FolderOrder {
  readonly sortBy: keyof typeof sortKeys;
  readonly descending: boolean;
}

/**
 * Images of a folder from a start on. The ids are found in an index alone, so that a deep page
 * skips no whole rows. The folder stands in the order because `IS NULL` does not tell the planner
 * that it is one and the same.
 */
export function selectInFolder(
  db: Queryable,
  place: FolderPlace,
  { sortBy, descending }: FolderOrder,
  { after, offset }: Start,
  limit: number,
): Promise<ListedRow[]> {
  const { values, bind } = parameters(place.userId);
  const { column, type, text } = sortKeys[sortBy];
  const direction = descending ? 'DESC' : 'ASC';
  const order = `i.folder_id ${direction}, ${column} ${direction}, i.id ${direction}`;
  const from = after
    ? `AND (${column}, i.id) ${descending ? '<' : '>'} (${bind(after[0])}::${type}, ${bind(after[1])}::uuid)`
    : '';
  return rows(
    db,
    `WITH page AS MATERIALIZED (
       SELECT i.id FROM images i WHERE ${inPlace(place, bind)} ${from}
       ORDER BY ${order} OFFSET ${bind(offset)} LIMIT ${bind(limit)}
     )
     SELECT ${columnsFor(limit)}, ARRAY[${text}, i.id::text] AS "sortKey"
     FROM page JOIN images i USING (id) ORDER BY ${order}`,
    values,
  );
}

/** What is active in these folders. */
export const activeInFolders = (
  tx: Queryable,
  userId: string,
  folderIds: readonly string[],
): AsyncGenerator<string[]> =>
  idBatches(tx, 'user_id = $1 AND folder_id = ANY ($2::uuid[]) AND deleted_at IS NULL', [
    userId,
    folderIds,
  ]);

/** With what images went to the trash: a folder, at the instant that PostgreSQL writes so. */
export interface FolderTrashing {
  readonly root: string;
  readonly at: string;
}

/** What in these folders went to the trash together with a folder. */
export const trashedInFolders = (
  tx: Queryable,
  userId: string,
  folderIds: readonly string[],
  { root, at }: FolderTrashing,
): AsyncGenerator<string[]> =>
  idBatches(
    tx,
    `user_id = $1 AND folder_id = ANY ($2::uuid[]) AND trashed_with = $3
     AND deleted_at = $4::timestamptz`,
    [userId, folderIds, root, at],
  );

export const inFolders = (
  tx: Queryable,
  userId: string,
  folderIds: readonly string[],
): AsyncGenerator<string[]> =>
  idBatches(tx, 'user_id = $1 AND folder_id = ANY ($2::uuid[])', [userId, folderIds]);

/** Puts images into the trash along with the folder `root`. */
export const trashImages = (
  tx: Queryable,
  ids: readonly string[],
  root: string,
): Promise<unknown> =>
  rows(tx, `UPDATE images SET deleted_at = now(), trashed_with = $2 WHERE id = ANY ($1::uuid[])`, [
    ids,
    root,
  ]);

export const restoreImages = (tx: Queryable, ids: readonly string[]): Promise<unknown> =>
  rows(tx, `UPDATE images SET deleted_at = NULL, trashed_with = NULL WHERE id = ANY ($1::uuid[])`, [
    ids,
  ]);
