import { row, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import { PackedIds } from '../../database/bulk.js';
import { folderRow } from './folders.sql.js';
import type { FolderRow, TrashEvent } from './folders.sql.js';

/** The path from the top level to a folder, inclusive; empty if there is no such folder. */
export const selectPath = (
  db: Queryable,
  userId: string,
  folderId: string,
): Promise<{ id: string; title: string }[]> =>
  rows(
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
  trash === null
    ? ''
    : `AND coalesce(${folders}.deleted_at, '-infinity') ${trash ? '>' : '='} '-infinity'`;

/**
 * All folders of a user in tree order, as `toTree` nests few folders: parents before children,
 * siblings by title. A folder whose
 * parent is not included is a root. `levels` has one big-endian 16-bit number per folder.
 */
export async function selectTreeOrder(
  db: Queryable,
  userId: string,
  trash: boolean | null,
): Promise<{ ids: PackedIds; levels: Buffer }> {
  const found = await row<{ ids: Buffer | null; levels: Buffer | null }>(
    db,
    `WITH RECURSIVE tree AS (
       SELECT f.id, ARRAY[row_number() OVER (ORDER BY f.title, f.id)::int] AS path
       FROM folders f
       WHERE f.user_id = $1 ${among(trash, 'f')} AND NOT EXISTS (
         SELECT FROM folders p
         WHERE p.id = f.parent_id AND p.user_id = $1 ${among(trash, 'p')} OFFSET 0)
       UNION ALL
       SELECT child.id, tree.path || child.place
       FROM tree CROSS JOIN LATERAL (
         SELECT f.id, row_number() OVER (ORDER BY f.title, f.id)::int AS place FROM folders f
         WHERE f.user_id = $1 AND f.parent_id = tree.id ${among(trash, 'f')}
       ) AS child
     )
     SELECT string_agg(uuid_send(id), ''::bytea ORDER BY path) AS ids,
            string_agg(int2send(cardinality(path)::int2), ''::bytea ORDER BY path) AS levels
     FROM tree`,
    [userId],
  );
  return {
    ids: new PackedIds(found?.ids ?? undefined),
    levels: found?.levels ?? Buffer.alloc(0),
  };
}

/** Those of the given folders that the user has, in any order. */
export const selectFoldersById = (
  db: Queryable,
  userId: string,
  folderIds: readonly string[],
): Promise<FolderRow[]> =>
  rows(db, `SELECT ${folderRow} FROM folders f WHERE f.user_id = $1 AND f.id = ANY ($2::uuid[])`, [
    userId,
    folderIds,
  ]);

/** A folder and its descendants, as far as `along` admits them. `$1` folder, `$2` user. */
export const subtree = (along = ''): string => `
  WITH RECURSIVE tree AS (
    SELECT id, 1 AS level FROM folders WHERE id = $1 AND user_id = $2
    UNION ALL
    SELECT c.id, tree.level + 1
    FROM tree JOIN folders c ON c.parent_id = tree.id AND c.user_id = $2 ${along}
  )`;

/**
 * Height of a subtree, the folder itself being one level; trashed folders count, since they can be
 * restored.
 */
export async function selectHeight(
  db: Queryable,
  userId: string,
  folderId: string,
): Promise<number> {
  const sql = `${subtree()} SELECT max(level) AS height FROM tree`;
  return (await row<{ height: number }>(db, sql, [folderId, userId]))?.height ?? 0;
}

export const ids = (found: readonly { id: string }[]): string[] => found.map(({ id }) => id);

/** A folder and everything below it, trashed or not. */
export const selectSubtree = async (tx: Queryable, userId: string, folderId: string) =>
  ids(
    await rows<{ id: string }>(tx, `${subtree()} SELECT id FROM tree ORDER BY level, id`, [
      folderId,
      userId,
    ]),
  );

/**
 * Deletes folders whose images are already deleted. A whole subtree at once, or the rest would
 * dangle.
 */
export const deleteFolders = (
  tx: Queryable,
  userId: string,
  folderIds: readonly string[],
): Promise<unknown> =>
  rows(tx, `DELETE FROM folders WHERE user_id = $1 AND id = ANY ($2::uuid[])`, [userId, folderIds]);

/** Trashes a folder and everything active below it. @returns their ids. */
export const trashSubtree = async (tx: Queryable, userId: string, folderId: string) =>
  ids(
    await rows<{ id: string }>(
      tx,
      `${subtree('AND c.deleted_at IS NULL')}
       UPDATE folders f
       SET deleted_at = now(),
           trashed_with = CASE WHEN f.id <> $1 THEN $1::uuid END,
           updated_at = CASE WHEN f.id = $1 THEN now() ELSE f.updated_at END
       FROM tree WHERE f.id = tree.id
       RETURNING f.id`,
      [folderId, userId],
    ),
  );

/**
 * Restores a folder and everything below it that was trashed in the same event. @returns their ids.
 * @throws a unique violation if an active sibling now has the same title.
 */
export const restoreSubtree = async (
  tx: Queryable,
  userId: string,
  folderId: string,
  event: TrashEvent,
) =>
  ids(
    await rows<{ id: string }>(
      tx,
      `${subtree('AND c.trashed_with = $3 AND c.deleted_at = $4::timestamptz')}
       UPDATE folders f
       SET deleted_at = NULL,
           trashed_with = NULL,
           updated_at = CASE WHEN f.id = $1 THEN now() ELSE f.updated_at END
       FROM tree WHERE f.id = tree.id
       RETURNING f.id`,
      [folderId, userId, event.root, event.at],
    ),
  );
