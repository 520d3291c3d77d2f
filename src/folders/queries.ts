import { instantText, parameters, row, rows } from '../database/sql.js';
import type { Bind, Queryable } from '../database/sql.js';
import type { Start } from '../paging/page-cursors.js';

export interface FolderRow {
  readonly id: string;
  readonly userId: string;
  readonly parentId: string | null;
  readonly title: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

export const folderColumns = `
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

/** Folders of a user by title, siblings therefore too; `limit` at most. */
export const selectFolders = (
  db: Queryable,
  userId: string,
  trash: boolean | null,
  limit: number,
): Promise<FolderRow[]> =>
  rows(
    db,
    `SELECT ${folderColumns} FROM folders f WHERE f.user_id = $1 ${inTrash(trash)}
     ORDER BY f.title, f.id LIMIT $2`,
    [userId, limit],
  );

/** The folders directly in a folder, or at the top level. */
export interface Shelf {
  readonly userId: string;
  readonly parentId: string | null;
  readonly trash: boolean | null;
}

/** Folders `f` of user `$1` on a shelf; the top level has no id to bind. */
const onShelf = ({ parentId, trash }: Shelf, bind: Bind): string =>
  `f.user_id = $1 AND f.parent_id ${parentId === null ? 'IS NULL' : `= ${bind(parentId)}`} ${inTrash(trash)}`;

export async function countFolders(db: Queryable, shelf: Shelf): Promise<number> {
  const { values, bind } = parameters(shelf.userId);
  const sql = `SELECT count(*)::int AS folders FROM folders f WHERE ${onShelf(shelf, bind)}`;
  return (await row<{ folders: number }>(db, sql, values))?.folders ?? 0;
}

const sortKeys = {
  created_at: { column: 'f.created_at', type: 'timestamptz', text: instantText('f.created_at') },
  updated_at: { column: 'f.updated_at', type: 'timestamptz', text: instantText('f.updated_at') },
  name: { column: 'f.title', type: 'text', text: 'f.title' },
};

export interface Order {
  readonly sortBy: keyof typeof sortKeys;
  readonly descending: boolean;
}

/**
 * Folders of a shelf from a start on. The parent stands in the order because `IS NULL` does not
 * tell the planner that it is one and the same.
 */
export function selectShelf(
  db: Queryable,
  shelf: Shelf,
  { sortBy, descending }: Order,
  { after, offset }: Start,
  limit: number,
): Promise<(FolderRow & { readonly sortKey: readonly string[] })[]> {
  const { values, bind } = parameters(shelf.userId);
  const { column, type, text } = sortKeys[sortBy];
  const direction = descending ? 'DESC' : 'ASC';
  const from = after
    ? `AND (${column}, f.id) ${descending ? '<' : '>'} (${bind(after[0])}::${type}, ${bind(after[1])}::uuid)`
    : '';
  return rows(
    db,
    `SELECT ${folderColumns}, ARRAY[${text}, f.id::text] AS "sortKey"
     FROM folders f WHERE ${onShelf(shelf, bind)} ${from}
     ORDER BY f.parent_id ${direction}, ${column} ${direction}, f.id ${direction}
     OFFSET ${bind(offset)} LIMIT ${bind(limit)}`,
    values,
  );
}
