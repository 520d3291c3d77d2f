import { instantText, parameters, rows } from '../../database/sql.js';
import type { Bind, Queryable } from '../../database/sql.js';
import { idBatches } from '../batch-queries.js';
import { countAndSum, pageIds, pageQuery } from '../page-queries.js';
import type { ListedRow } from '../page-queries.js';
import { trashCondition } from '../queries.js';
import type { TrashFilter } from '../queries.js';
import type { ListTotals } from '../../paging/totals.js';
import type { PagePosition } from '../../paging/page-cursors.js';

/** The images directly in a folder, or at the top level. */
export interface FolderImagesFilter {
  readonly userId: string;
  readonly folderId: string | null;
  readonly trash: TrashFilter;
}

/** Images `i` of user `$1` in a folder; the top level has no id to bind. */
const inFolder = ({ folderId, trash }: FolderImagesFilter, bind: Bind): string =>
  `i.user_id = $1 AND i.folder_id ${folderId === null ? 'IS NULL' : `= ${bind(folderId)}`} ${trashCondition(trash)}`;

/** Number of images and their total bytes. */
export function sumInFolder(db: Queryable, filter: FolderImagesFilter): Promise<ListTotals> {
  const { values, bind } = parameters(filter.userId);
  return countAndSum(db, `images i WHERE ${inFolder(filter, bind)}`, values);
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
 * Images of a folder from a start on. The folder stands in the order because `IS NULL` does not
 * tell the planner that it is one and the same.
 */
export function selectInFolder(
  db: Queryable,
  filter: FolderImagesFilter,
  { sortBy, descending }: FolderOrder,
  { after, offset }: PagePosition,
  limit: number,
): Promise<ListedRow[]> {
  const { values, bind } = parameters(filter.userId);
  const { column, type, text } = sortKeys[sortBy];
  const direction = descending ? 'DESC' : 'ASC';
  const order = `i.folder_id ${direction}, ${column} ${direction}, i.id ${direction}`;
  const from = after
    ? `AND (${column}, i.id) ${descending ? '<' : '>'} (${bind(after[0])}::${type}, ${bind(after[1])}::uuid)`
    : '';
  const ids = pageIds({ where: `${inFolder(filter, bind)} ${from}`, order, offset, limit }, bind);
  const key = `ARRAY[${text}, i.id::text]`;
  return rows(db, pageQuery({ ids, key, order, limit }), values);
}

/** Active images in these folders. */
export const activeInFolders = (
  tx: Queryable,
  userId: string,
  folderIds: readonly string[],
): AsyncGenerator<string[]> =>
  idBatches(tx, 'user_id = $1 AND folder_id = ANY ($2::uuid[]) AND deleted_at IS NULL', [
    userId,
    folderIds,
  ]);

/** The trash event of images: a folder, and the instant as PostgreSQL writes it. */
export interface FolderTrashing {
  readonly root: string;
  readonly at: string;
}

/** Images in these folders that were trashed together with a folder. */
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

/** Trashes images along with the folder `root`. */
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
