import { parameters, rows } from '../../../database/sql.js';
import type { Bind, Queryable } from '../../../database/sql.js';
import { idBatches } from '../batch.sql.js';
import { pageIds, pageQuery } from '../page.sql.js';
import type { ListedRow } from '../page.sql.js';
import { trashCondition } from '../images.sql.js';
import type { TrashFilter } from '../images.sql.js';
import type { PagePosition } from '../../../http/paging/page-cursors.js';
import { sortOrderSql } from '../../../http/paging/sort-order.js';
import type { SortOrder } from '../../../http/paging/sort-order.js';

/** The images directly in a folder, or at the top level. */
export interface FolderImagesFilter {
  readonly userId: string;
  readonly folderId: string | null;
  readonly trash: TrashFilter;
}

/** Images `i` of user `$1` in a folder; the top level has no id to bind. */
const inFolder = ({ folderId, trash }: FolderImagesFilter, bind: Bind): string =>
  `i.user_id = $1 AND i.folder_id ${folderId === null ? 'IS NULL' : `= ${bind(folderId)}`} ${trashCondition(trash)}`;

const sortedImages = { alias: 'i', folder: 'folder_id', name: 'filename' };

/** Images of a folder from a position on. */
export function selectInFolder(
  db: Queryable,
  filter: FolderImagesFilter,
  sortOrder: SortOrder,
  position: PagePosition,
  limit: number,
): Promise<ListedRow[]> {
  const { values, bind } = parameters(filter.userId);
  const { order, key, from } = sortOrderSql(sortOrder, sortedImages, position, bind);
  const where = `${inFolder(filter, bind)} ${from}`;
  const ids = pageIds({ where, order, offset: position.offset, limit }, bind);
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
