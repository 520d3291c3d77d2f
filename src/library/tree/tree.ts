import { validate as isUuid } from 'uuid';
import { ServiceError } from '../../base/errors/catalogue.js';
import { row, value, type Queryable } from '../../database/sql.js';

// Trees of folders with their images: SQL for what is in them, and checks for what puts something there.

/**
 * Selects the `id` and `level` of a folder and its descendants, as far as `along` admits them as `c`.
 * @param folder placeholder, as `user` is.
 */
export const subtree = ({
  folder,
  user,
  along = '',
}: {
  readonly folder: string;
  readonly user: string;
  readonly along?: string;
}): string => `
  WITH RECURSIVE tree AS (
    SELECT id, 1 AS level FROM folders WHERE id = ${folder} AND user_id = ${user}
    UNION ALL
    SELECT c.id, tree.level + 1
    FROM tree JOIN folders c ON c.parent_id = tree.id AND c.user_id = ${user} ${along}
  )`;

/** Whether a folder is not one of those that are being deleted in batches. */
export const visible = (folders: string): string => `${folders}.deleting_at IS NULL`;

/** What `along` is for what is not in the trash. */
const active = 'AND c.deleted_at IS NULL';

/** Up to so many folders are each looked through, or those of up to so many images. */
const few = { folders: 1_000, images: 100_000 };

/** A folder and everything below it, as placeholders. */
interface TreeSql {
  readonly user: string;
  readonly folder: string;
  /** Whether only what is not in the trash counts. */
  readonly active: boolean;
}

/** Selects the `id` of a folder and its descendants. */
export const foldersInTree = ({ user, folder, active: only }: TreeSql): string =>
  `${subtree({ user, folder, ...(only && { along: active }) })} SELECT id FROM tree`;

/** The first of the images `i` in a tree, as SQL. */
interface FirstInTree extends TreeSql {
  /** Columns of `i`, among them those of the order. */
  readonly columns: string;
  /** The condition, the user included. */
  readonly where: string;
  readonly order: string;
  readonly limit: number | string;
}

/**
 * Selects the first images in a folder and everything below it: those of each folder, or where that
 * would be too many, of all images of the user.
 */
export function firstInTree({ columns, where, order, limit, ...tree }: FirstInTree): string {
  const first = (condition: string): string =>
    `SELECT ${columns} FROM images i WHERE ${where} AND ${condition} ORDER BY ${order} LIMIT ${limit}`;
  // Not a join, which would sort all images before it gives the first.
  const anywhere = first(
    '(i.folder_id IN (SELECT id FROM folder)) IS TRUE AND NOT (SELECT are FROM few)',
  );
  return `
    WITH folder AS MATERIALIZED (${foldersInTree(tree)}),
    few AS MATERIALIZED (
      SELECT count(*) <= ${few.folders}
        OR coalesce(sum(t.active_images + t.trashed_images), 0) <= ${few.images} AS are
      FROM folder LEFT JOIN folder_totals t ON t.folder_id = folder.id
    )
    SELECT * FROM (
      (SELECT i.* FROM folder CROSS JOIN LATERAL (${first('i.folder_id = folder.id')}) AS i
       WHERE (SELECT are FROM few))
      UNION ALL (${anywhere})
    ) AS i
    ORDER BY ${order} LIMIT ${limit}`;
}

/** Whether the user's folder is in the trash; undefined if there is no such folder. */
const isTrashed = (db: Queryable, userId: string, folderId: string) =>
  value<boolean>(
    db,
    `SELECT deleted_at IS NOT NULL AS trashed FROM folders f
     WHERE id = $1 AND user_id = $2 AND ${visible('f')}`,
    [folderId, userId],
  );

/**
 * Verifies that a folder accepts new content. The caller must hold the user's lock, so that the
 * folder does not change until the caller's transaction ends.
 *
 * @param field the request field that names the folder.
 * @throws ServiceError `folder_not_found`, `folder_in_trash`.
 */
export async function assertFolderOpen(
  tx: Queryable,
  userId: string,
  folderId: string,
  field = 'folder_id',
): Promise<void> {
  const trashed = isUuid(folderId) ? await isTrashed(tx, userId, folderId) : undefined;
  if (trashed === undefined) throw new ServiceError('folder_not_found', { field });
  if (trashed) throw new ServiceError('folder_in_trash', { field });
}

/**
 * Whether the user has such a folder and it is not in the trash. The caller must hold the user's
 * lock.
 */
export const isFolderOpen = async (
  tx: Queryable,
  userId: string,
  folderId: string,
): Promise<boolean> => (await isTrashed(tx, userId, folderId)) === false;

/**
 * Verifies that a user, or any user of a platform, has a folder by which images are filtered, in
 * the trash or not.
 * @throws ServiceError `folder_not_found`.
 */
export async function assertFolderExists(
  db: Queryable,
  { kind, id }: { readonly kind: 'users' | 'platforms'; readonly id: string },
  folderId: string,
): Promise<void> {
  const found =
    isUuid(folderId) &&
    (await row(
      db,
      `SELECT FROM folders f WHERE id = $1 AND ${visible('f')} AND ${
        kind === 'users'
          ? 'user_id = $2'
          : 'user_id IN (SELECT id FROM users WHERE platform_id = $2)'
      }`,
      [folderId, id],
    ));
  if (!found) throw new ServiceError('folder_not_found', { field: 'folder_id' });
}
