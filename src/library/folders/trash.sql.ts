import { rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import type { TrashEvent } from './folders.sql.js';
import { ids, subtree } from './tree.sql.js';

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
