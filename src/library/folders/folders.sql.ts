import type { EntityManager } from 'typeorm';
import { type RowOf, selectList, touched, without } from '../../database/columns.js';
import { PackedIds } from '../../database/bulk.js';
import {
  type Bind,
  column,
  insert,
  onlyRow,
  onlyValue,
  parameters,
  type Queryable,
  row,
  rows,
} from '../../database/sql.js';
import { type PagePosition, type SortOrder, sortOrderSql } from '../../http/paging/pages.js';
import { folderColumns, FolderEntity, type Folder } from './entity.js';
import { subtree, visible } from '../tree/tree.js';

// Reads of folders, and changes of single ones. Every statement names the user, who alone can read a
// folder: the user of the token, which `authenticate` compares with the path.

const readColumns = without(folderColumns, 'trashedWith', 'search', 'deletingAt');

export type FolderRow = Readonly<RowOf<typeof readColumns>>;

/** A folder `f`. */
const folderRow = selectList(readColumns, 'f');

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
     FROM folders f WHERE f.id = $1 AND f.user_id = $2 AND ${visible('f')}`,
    [folderId, userId],
  );

/** Whether the user has this many folders, in the trash or not. */
export const hasFolders = (tx: Queryable, userId: string, count: number) =>
  onlyValue<boolean>(
    tx,
    `SELECT count(*) = $2 AS reached
     FROM (SELECT FROM folders WHERE user_id = $1 LIMIT $2) AS f`,
    [userId, count],
  );

/** The values of a folder to create or change. */
type NewFolder = Readonly<Pick<Folder, 'id' | 'userId' | 'parentId' | 'title'>>;

/** @throws a unique violation if an active sibling has the same title. */
export const insertFolder = (tx: EntityManager, folder: NewFolder): Promise<unknown> =>
  insert(tx, FolderEntity, folder);

/** Sets a folder's title and parent. @throws a unique violation if the title is taken there. */
export const updateFolder = (
  tx: EntityManager,
  { id, userId, parentId, title }: NewFolder,
): Promise<unknown> =>
  tx.update(FolderEntity, { id, userId }, { parentId, title, updatedAt: touched });

// Inlined rather than bound, so that the planner knows the filter.
const folderTrashCondition = (trash: boolean | null): string =>
  `AND ${visible('f')} ${trash === null ? '' : `AND f.deleted_at IS ${trash ? 'NOT NULL' : 'NULL'}`}`;

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
  return onlyValue(db, sql, values);
}

const sortedFolders = {
  alias: 'f',
  folder: 'parent_id',
  by: {
    created_at: 'f.created_at',
    updated_at: 'f.updated_at',
    taken_at: 'f.created_at',
    name: 'f.title',
  },
};

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

/** The path from the top level to a folder, inclusive; empty if there is no such folder. */
export const selectPath = (db: Queryable, userId: string, folderId: string) =>
  rows<{ id: string; title: string }>(
    db,
    `WITH RECURSIVE up AS (
       SELECT id, title, parent_id, 1 AS step FROM folders WHERE id = $1 AND user_id = $2
       UNION ALL
       SELECT p.id, p.title, p.parent_id, up.step + 1
       FROM up JOIN folders p ON p.id = up.parent_id AND p.user_id = $2
     )
     SELECT id, title FROM up ORDER BY step DESC`,
    [folderId, userId],
  );

// Written so that parents and children are looked up one by one by key, not by the trash index:
// right after a tree is trashed, the planner's statistics would make it scan that whole index for
// each folder.
const among = (trash: boolean | null, folders: string): string =>
  `AND ${visible(folders)}` +
  (trash === null
    ? ''
    : ` AND coalesce(${folders}.deleted_at, '-infinity') ${trash ? '>' : '='} '-infinity'`);

/** Which folders of a user are listed. */
export interface ListedFolders {
  readonly userId: string;
  /** true: only trashed, false: only active, null: both. */
  readonly trash: boolean | null;
  /** Those in this folder, or at the top level (null); undefined: wherever they are. */
  readonly parentId?: string | null | undefined;
}

/**
 * Folders of a user in tree order, as `toTree` nests few folders: parents before children,
 * siblings by title. A folder whose parent is not included is a root. `levels` has one big-endian 16-bit number per folder.
 * @param below false: only those in the parent that is asked for.
 */
export async function selectTreeOrder(
  db: Queryable,
  { userId, trash, parentId }: ListedFolders,
  below = true,
): Promise<{ ids: PackedIds; levels: Buffer }> {
  const { values, bind } = parameters(userId);
  const isRoot =
    parentId === undefined
      ? `NOT EXISTS (SELECT FROM folders p
           WHERE p.id = f.parent_id AND p.user_id = $1 ${among(trash, 'p')} OFFSET 0)`
      : `f.parent_id ${parentId === null ? 'IS NULL' : `= ${bind(parentId)}`}`;
  const { ids, levels } = await onlyRow<{ ids: Buffer; levels: Buffer }>(
    db,
    `WITH RECURSIVE tree AS (
       SELECT f.id, ARRAY[row_number() OVER (ORDER BY f.title, f.id)::int] AS path
       FROM folders f
       WHERE f.user_id = $1 ${among(trash, 'f')} AND ${isRoot}
       UNION ALL
       SELECT child.id, tree.path || child.place
       FROM tree CROSS JOIN LATERAL (
         SELECT f.id, row_number() OVER (ORDER BY f.title, f.id)::int AS place FROM folders f
         WHERE f.user_id = $1 AND f.parent_id = tree.id ${among(trash, 'f')}
       ) AS child
       WHERE ${String(below)}
     )
     SELECT coalesce(string_agg(uuid_send(id), '' ORDER BY path), '') AS ids,
            coalesce(string_agg(int2send(cardinality(path)::int2), '' ORDER BY path), '') AS levels
     FROM tree`,
    values,
  );
  return { ids: new PackedIds(ids), levels };
}

/** The newest images of a folder that its cover may have. */
export const coverImages = 4;

/** What is in a folder that is not in the trash, without what is below it. */
export interface FolderSums {
  readonly id: string;
  readonly images: number;
  /** Milliseconds since 1970 of the first and last picture; null if there is none. */
  readonly first: number | null;
  readonly last: number | null;
  /** Of the newest images, and their times; null if there is none. */
  readonly covers: Buffer | null;
  readonly times: readonly number[] | null;
}

/** Of those of the given folders that contain images; by `taken_at`, or `created_at` without one. */
export const selectFolderSums = (db: Queryable, userId: string, folderIds: readonly string[]) =>
  rows<FolderSums>(
    db,
    `SELECT f.id, sums.*, newest.*
     FROM folders f
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS images, ${millis('min')} AS first, ${millis('max')} AS last
       FROM images i WHERE ${activeIn('f')}
     ) AS sums
     CROSS JOIN LATERAL (
       SELECT string_agg(uuid_send(id), '' ORDER BY at DESC, id DESC) AS covers,
              array_agg((extract(epoch FROM at) * 1000)::float8 ORDER BY at DESC, id DESC) AS times
       FROM (
         SELECT i.id, ${takenAt} AS at FROM images i WHERE ${activeIn('f')}
         ORDER BY at DESC, i.id DESC LIMIT ${coverImages}
       ) AS few
     ) AS newest
     WHERE f.user_id = $1 AND f.id = ANY ($2::uuid[]) AND f.deleted_at IS NULL AND sums.images > 0`,
    [userId, folderIds],
  );

const takenAt = 'coalesce(i.taken_at, i.created_at)';
const millis = (pick: 'min' | 'max'): string =>
  `(extract(epoch FROM ${pick}(${takenAt})) * 1000)::float8`;
const activeIn = (folder: string): string =>
  `i.user_id = $1 AND i.folder_id = ${folder}.id AND i.deleted_at IS NULL`;

/** Those of the given folders that the user has, in any order. */
export const selectFoldersById = (db: Queryable, userId: string, folderIds: readonly string[]) =>
  rows<FolderRow>(
    db,
    `SELECT ${folderRow} FROM folders f WHERE f.user_id = $1 AND f.id = ANY ($2::uuid[]) AND ${visible('f')}`,
    [userId, folderIds],
  );

const wholeTree = subtree({ folder: '$1', user: '$2' });

/**
 * Height of a subtree, the folder itself being one level; trashed folders count, since they can be
 * restored.
 */
export const selectHeight = (db: Queryable, userId: string, folderId: string): Promise<number> =>
  onlyValue(db, `${wholeTree} SELECT coalesce(max(level), 0) FROM tree`, [folderId, userId]);

/** A folder and everything below it, trashed or not. */
export const selectSubtree = (tx: Queryable, userId: string, folderId: string) =>
  column<string>(tx, `${wholeTree} SELECT id FROM tree ORDER BY level, id`, [folderId, userId]);
