import { column, onlyValue, type Queryable, rows } from '../../database/sql.js';
import type { TrashEvent } from './folders.sql.js';

// Changes of whole trees: a folder with everything below it.

/** A folder and its descendants, as far as `along` admits them. `$1` folder, `$2` user. */
const subtree = (along = ''): string => `
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
  const sql = `${subtree()} SELECT coalesce(max(level), 0) FROM tree`;
  return onlyValue(db, sql, [folderId, userId]);
}

/** A folder and everything below it, trashed or not. */
export const selectSubtree = (tx: Queryable, userId: string, folderId: string) =>
  column<string>(tx, `${subtree()} SELECT id FROM tree ORDER BY level, id`, [folderId, userId]);

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
export const trashSubtree = (tx: Queryable, userId: string, folderId: string) =>
  column<string>(
    tx,
    `${subtree('AND c.deleted_at IS NULL')}
     UPDATE folders f
     SET deleted_at = now(),
         trashed_with = CASE WHEN f.id <> $1 THEN $1::uuid END,
         updated_at = CASE WHEN f.id = $1 THEN now() ELSE f.updated_at END
     FROM tree WHERE f.id = tree.id
     RETURNING f.id`,
    [folderId, userId],
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
  column<string>(
    tx,
    `${subtree('AND c.trashed_with = $3 AND c.deleted_at = $4::timestamptz')}
     UPDATE folders f
     SET deleted_at = NULL,
         trashed_with = NULL,
         updated_at = CASE WHEN f.id = $1 THEN now() ELSE f.updated_at END
     FROM tree WHERE f.id = tree.id
     RETURNING f.id`,
    [folderId, userId, event.root, event.at],
  );
