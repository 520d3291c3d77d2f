import type { EntityManager } from 'typeorm';
import { selectList, without } from '../../database/columns.js';
import { insert, parameters, row, rows, type Bind, type Queryable } from '../../database/sql.js';
import type { RowOf } from '../../database/table.js';
import { type PagePosition, sortOrderSql, type SortOrder } from '../../http/paging/page-cursors.js';
import { folderColumns, FolderEntity, type Folder } from './entity.js';

const readColumns = without(folderColumns, 'trashedWith', 'search');

export type FolderRow = Readonly<RowOf<typeof readColumns>>;

/** A folder `f`. */
export const folderRow = selectList(readColumns, 'f');

/** Whether the user's folder is in the trash; undefined if there is no such folder. */
export const selectFolderState = (db: Queryable, userId: string, folderId: string) =>
  row<{ trashed: boolean }>(
    db,
    `SELECT deleted_at IS NOT NULL AS trashed FROM folders WHERE id = $1 AND user_id = $2`,
    [folderId, userId],
  );

/** Whether the user has this many folders, in the trash or not. */
export const hasFolders = async (tx: Queryable, userId: string, count: number): Promise<boolean> =>
  (
    await row<{ reached: boolean }>(
      tx,
      `SELECT count(*) = $2 AS reached
       FROM (SELECT FROM folders WHERE user_id = $1 LIMIT $2) AS f`,
      [userId, count],
    )
  )?.reached === true;

/** Whether a user, or any user of a platform, has a folder, in the trash or not. */
export const selectIsFolderOf = (
  db: Queryable,
  { kind, id }: { readonly kind: 'users' | 'platforms'; readonly id: string },
  folderId: string,
) =>
  row(
    db,
    `SELECT FROM folders WHERE id = $1 AND ${
      kind === 'users' ? 'user_id = $2' : 'user_id IN (SELECT id FROM users WHERE platform_id = $2)'
    }`,
    [folderId, id],
  );

/** @returns how many folders the user had. */
export const deleteFoldersOf = async (tx: EntityManager, userId: string): Promise<number> =>
  (await tx.delete(FolderEntity, { userId })).affected ?? 0;

/** The trash event of a folder: shared by all rows that were trashed with it. */
export interface TrashEvent {
  /** The folder that was trashed. */
  readonly root: string;
  /** With microseconds, as PostgreSQL writes it; a Date would truncate it. */
  readonly at: string;
}

/** A folder, and its trash event if it is in the trash. */
export const selectFolder = (db: Queryable, userId: string, folderId: string) =>
  row<FolderRow & { readonly event: TrashEvent | null }>(
    db,
    `SELECT ${folderRow},
            CASE WHEN f.deleted_at IS NOT NULL THEN json_build_object(
              'root', coalesce(f.trashed_with, f.id), 'at', f.deleted_at::text) END AS event
     FROM folders f WHERE f.id = $1 AND f.user_id = $2`,
    [folderId, userId],
  );

/** The values of a folder to create or change. */
export type NewFolder = Readonly<Pick<Folder, 'id' | 'userId' | 'parentId' | 'title'>>;

/** @throws a unique violation if an active sibling has the same title. */
export const insertFolder = (tx: EntityManager, folder: NewFolder): Promise<unknown> =>
  insert(tx, FolderEntity, folder);

/** Sets a folder's title and parent. @throws a unique violation if the title is taken there. */
export const updateFolder = (
  tx: EntityManager,
  { id, userId, parentId, title }: NewFolder,
): Promise<unknown> => tx.update(FolderEntity, { id, userId }, { parentId, title });

// Inlined rather than bound, so that the planner knows the filter.
const folderTrashCondition = (trash: boolean | null): string =>
  trash === null ? '' : `AND f.deleted_at IS ${trash ? 'NOT NULL' : 'NULL'}`;

/** Folders of a user, ordered by title, as siblings are; at most `limit`. */
export const selectFolders = (
  db: Queryable,
  userId: string,
  trash: boolean | null,
  limit: number,
): Promise<FolderRow[]> =>
  rows(
    db,
    `SELECT ${folderRow} FROM folders f WHERE f.user_id = $1 ${folderTrashCondition(trash)}
     ORDER BY f.title, f.id LIMIT $2`,
    [userId, limit],
  );

/** The folders directly in a folder, or at the top level. */
export interface ChildFolders {
  readonly userId: string;
  readonly parentId: string | null;
  readonly trash: boolean | null;
}

/** Folders `f` of user `$1` with this parent; the top level has no id to bind. */
const isChild = ({ parentId, trash }: ChildFolders, bind: Bind): string =>
  `f.user_id = $1 AND f.parent_id ${parentId === null ? 'IS NULL' : `= ${bind(parentId)}`} ${folderTrashCondition(trash)}`;

export async function countChildFolders(db: Queryable, parent: ChildFolders): Promise<number> {
  const { values, bind } = parameters(parent.userId);
  const sql = `SELECT count(*)::int AS folders FROM folders f WHERE ${isChild(parent, bind)}`;
  return (await row<{ folders: number }>(db, sql, values))?.folders ?? 0;
}

const sortedFolders = { alias: 'f', folder: 'parent_id', name: 'title' };

/** Subfolders from a position on. */
export function selectChildFolders(
  db: Queryable,
  parent: ChildFolders,
  sortOrder: SortOrder,
  position: PagePosition,
  limit: number,
): Promise<(FolderRow & { readonly sortKey: readonly string[] })[]> {
  const { values, bind } = parameters(parent.userId);
  const { order, key, from } = sortOrderSql(sortOrder, sortedFolders, position, bind);
  return rows(
    db,
    `SELECT ${folderRow}, ${key} AS "sortKey"
     FROM folders f WHERE ${isChild(parent, bind)} ${from}
     ORDER BY ${order}
     OFFSET ${bind(position.offset)} LIMIT ${bind(limit)}`,
    values,
  );
}
