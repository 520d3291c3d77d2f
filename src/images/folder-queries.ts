import { row, rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import { imageColumns, inTrash } from './queries.js';
import type { ImageRow, TrashFilter } from './queries.js';

/** The images directly in a folder, or at the top level. */
interface Place {
  readonly userId: string;
  readonly folderId: string | null;
  readonly trash: TrashFilter;
}

// `$1` user; the folder, which the top level has none of, is the last parameter.
const inPlace = ({ folderId, trash }: Place, last: number): string =>
  `i.user_id = $1 AND i.folder_id ${folderId === null ? 'IS NULL' : `= $${last}`} ${inTrash(trash)}`;

const parametersOf = ({ userId, folderId }: Place, ...others: number[]): unknown[] =>
  folderId === null ? [userId, ...others] : [userId, ...others, folderId];

export async function sumInFolder(db: Queryable, place: Place) {
  const sum = await row<{ images: number; bytes: number }>(
    db,
    `SELECT count(*)::int AS images, coalesce(sum(i.bytes), 0)::bigint AS bytes
     FROM images i WHERE ${inPlace(place, 2)}`,
    parametersOf(place),
  );
  return sum ?? { images: 0, bytes: 0 };
}

const sortKeys = { created_at: 'created_at', updated_at: 'updated_at', name: 'filename' };

export interface FolderPage extends Place {
  readonly sortBy: keyof typeof sortKeys;
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}

/**
 * The ids are found in an index alone, so that a deep page skips no whole rows. The folder stands
 * in the order because `IS NULL` does not tell the planner that it is one and the same.
 */
export function selectInFolder(db: Queryable, page: FolderPage): Promise<ImageRow[]> {
  const direction = page.descending ? 'DESC' : 'ASC';
  const order = ['folder_id', sortKeys[page.sortBy], 'id']
    .map((key) => `i.${key} ${direction}`)
    .join(', ');
  const sql = `WITH page AS MATERIALIZED (
      SELECT i.id FROM images i WHERE ${inPlace(page, 4)}
      ORDER BY ${order} OFFSET $2 LIMIT $3
    )
    SELECT ${imageColumns} FROM page JOIN images i USING (id) ORDER BY ${order}`;
  return rows(db, sql, parametersOf(page, page.offset, page.limit));
}

export const trashInFolders = (
  tx: Queryable,
  userId: string,
  folderIds: readonly string[],
  root: string,
): Promise<unknown> =>
  rows(
    tx,
    `UPDATE images SET deleted_at = now(), trashed_with = $3
     WHERE user_id = $1 AND folder_id = ANY ($2::uuid[]) AND deleted_at IS NULL`,
    [userId, folderIds, root],
  );

/** @param event.at the instant to the microsecond, as PostgreSQL writes it. */
export const restoreInFolders = (
  tx: Queryable,
  userId: string,
  folderIds: readonly string[],
  event: { readonly root: string; readonly at: string },
): Promise<unknown> =>
  rows(
    tx,
    `UPDATE images SET deleted_at = NULL, trashed_with = NULL
     WHERE user_id = $1 AND folder_id = ANY ($2::uuid[]) AND trashed_with = $3
       AND deleted_at = $4::timestamptz`,
    [userId, folderIds, event.root, event.at],
  );

/** The versions go first and all at once: one by one, as cascades, they would take much longer. */
export const deleteInFolders = (
  tx: Queryable,
  userId: string,
  folderIds: readonly string[],
): Promise<{ id: string }[]> =>
  rows(
    tx,
    `WITH doomed AS MATERIALIZED (
       SELECT id FROM images WHERE user_id = $1 AND folder_id = ANY ($2::uuid[])
     ),
     versions AS (
       DELETE FROM image_versions v USING doomed WHERE v.image_id = doomed.id
     )
     DELETE FROM images i USING doomed WHERE i.id = doomed.id RETURNING i.id`,
    [userId, folderIds],
  );
