import { row } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';

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
