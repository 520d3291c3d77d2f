import { column, onlyValue, type Queryable, rows } from '../../database/sql.js';
import type { TrashEvent } from './folders.sql.js';
import { active, subtree } from './guard.js';

// Changes of whole trees: a folder with everything below it.

/** A folder `$1` of user `$2` and its descendants, as far as `along` admits them. */
const tree = (along?: string): string =>
  subtree({ folder: '$1', user: '$2', ...(along && { along }) });

/**
 * Height of a subtree, the folder itself being one level; trashed folders count, since they can be
 * restored.
 */
export async function selectHeight(
  db: Queryable,
  userId: string,
  folderId: string,
): Promise<number> {
  const sql = `${tree()} SELECT coalesce(max(level), 0) FROM tree`;
  return onlyValue(db, sql, [folderId, userId]);
}

/** A folder and everything below it, trashed or not. */
export const selectSubtree = (tx: Queryable, userId: string, folderId: string) =>
  column<string>(tx, `${tree()} SELECT id FROM tree ORDER BY level, id`, [folderId, userId]);

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
    `${tree(active)}
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
    `${tree('AND c.trashed_with = $3 AND c.deleted_at = $4::timestamptz')}
     UPDATE folders f
     SET deleted_at = NULL,
         trashed_with = NULL,
         updated_at = CASE WHEN f.id = $1 THEN now() ELSE f.updated_at END
     FROM tree WHERE f.id = tree.id
     RETURNING f.id`,
    [folderId, userId, event.root, event.at],
  );
