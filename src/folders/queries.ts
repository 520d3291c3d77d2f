import { row, rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';

export interface FolderRow {
  readonly id: string;
  readonly userId: string;
  readonly parentId: string | null;
  readonly title: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

const folderColumns = `
  f.id, f.user_id AS "userId", f.parent_id AS "parentId", f.title, f.created_at AS "createdAt",
  f.updated_at AS "updatedAt", f.deleted_at AS "deletedAt"`;

/** Whether the user's folder is in the trash; undefined when there is no such folder. */
export const selectFolderState = (db: Queryable, userId: string, folderId: string) =>
  row<{ trashed: boolean }>(
    db,
    `SELECT deleted_at IS NOT NULL AS trashed FROM folders WHERE id = $1 AND user_id = $2`,
    [folderId, userId],
  );

/** @returns how many folders the user had. */
export const deleteFoldersOf = (tx: Queryable, userId: string) =>
  row<{ deleted: number }>(
    tx,
    `WITH gone AS (DELETE FROM folders WHERE user_id = $1 RETURNING id)
     SELECT count(*)::int AS deleted FROM gone`,
    [userId],
  );

/** With what a folder went to the trash: the ids and times of all rows that it took along. */
export interface TrashEvent {
  /** The folder whose trashing it was. */
  readonly root: string;
  /** The instant to the microsecond, as PostgreSQL writes it; a Date would cut it off. */
  readonly at: string;
}

/** A folder, and its trash event when it is in the trash. */
export const selectFolder = (db: Queryable, userId: string, folderId: string) =>
  row<FolderRow & { readonly event: TrashEvent | null }>(
    db,
    `SELECT ${folderColumns},
            CASE WHEN f.deleted_at IS NOT NULL THEN json_build_object(
              'root', coalesce(f.trashed_with, f.id), 'at', f.deleted_at::text) END AS event
     FROM folders f WHERE f.id = $1 AND f.user_id = $2`,
    [folderId, userId],
  );

/** @throws a unique violation when an active sibling has the title. */
export const insertFolder = (
  db: Queryable,
  folder: { id: string; userId: string; parentId: string | null; title: string },
): Promise<unknown> =>
  rows(db, `INSERT INTO folders (id, user_id, parent_id, title) VALUES ($1, $2, $3, $4)`, [
    folder.id,
    folder.userId,
    folder.parentId,
    folder.title,
  ]);

/** Gives a folder a title and a place. @throws a unique violation when that is taken. */
export const placeFolder = (
  db: Queryable,
  folder: { id: string; userId: string; parentId: string | null; title: string },
): Promise<unknown> =>
  rows(
    db,
    `UPDATE folders SET parent_id = $3, title = $4, updated_at = now()
     WHERE id = $1 AND user_id = $2`,
    [folder.id, folder.userId, folder.parentId, folder.title],
  );

// Spelled out rather than bound, so that the planner knows what it filters by.
const inTrash = (trash: boolean | null): string =>
  trash === null ? '' : `AND f.deleted_at IS ${trash ? 'NOT NULL' : 'NULL'}`;

/** All folders of a user by title, siblings therefore too. */
export const selectFolders = (
  db: Queryable,
  userId: string,
  trash: boolean | null,
): Promise<FolderRow[]> =>
  rows(
    db,
    `SELECT ${folderColumns} FROM folders f WHERE f.user_id = $1 ${inTrash(trash)}
     ORDER BY f.title, f.id`,
    [userId],
  );

/** The folders directly in a folder, or at the top level. */
export interface Shelf {
  readonly userId: string;
  readonly parentId: string | null;
  readonly trash: boolean | null;
}

// `$1` user; the parent, which the top level has none of, is the last parameter.
const onShelf = ({ parentId, trash }: Shelf, last: number): string =>
  `f.user_id = $1 AND f.parent_id ${parentId === null ? 'IS NULL' : `= $${last}`} ${inTrash(trash)}`;

const parametersOf = ({ userId, parentId }: Shelf, ...others: number[]): unknown[] =>
  parentId === null ? [userId, ...others] : [userId, ...others, parentId];

export async function countFolders(db: Queryable, shelf: Shelf): Promise<number> {
  const sql = `SELECT count(*)::int AS folders FROM folders f WHERE ${onShelf(shelf, 2)}`;
  return (await row<{ folders: number }>(db, sql, parametersOf(shelf)))?.folders ?? 0;
}

const sortKeys = { created_at: 'created_at', updated_at: 'updated_at', name: 'title' };

export interface Slice {
  readonly sortBy: keyof typeof sortKeys;
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}

/**
 * A page of a shelf. The parent stands in the order because `IS NULL` does not tell the planner
 * that it is one and the same.
 */
export function selectShelf(db: Queryable, shelf: Shelf, slice: Slice): Promise<FolderRow[]> {
  const direction = slice.descending ? 'DESC' : 'ASC';
  const order = ['parent_id', sortKeys[slice.sortBy], 'id']
    .map((key) => `f.${key} ${direction}`)
    .join(', ');
  const sql = `SELECT ${folderColumns} FROM folders f WHERE ${onShelf(shelf, 4)}
    ORDER BY ${order} OFFSET $2 LIMIT $3`;
  return rows(db, sql, parametersOf(shelf, slice.offset, slice.limit));
}
