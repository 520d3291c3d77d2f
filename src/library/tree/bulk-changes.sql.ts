import { v7 as uuidv7 } from 'uuid';
import { PackedIds } from '../../database/bulk.js';
import { byToken, currentToken } from '../../database/fairness.js';
import {
  column,
  exists,
  onlyRow,
  onlyValue,
  type Queryable,
  row,
  rows,
} from '../../database/sql.js';
import { noteFormerUser } from '../../http/auth/identities.js';
import { subtree } from './tree.js';

// The statements of changes of whole trees and users: each changes some images or folders, and is repeated
// until it finds none. Every one looks at the state again, so that it does no harm to run it once more.

/** Images changed in one transaction: about half a second. */
export const imagesAtOnce = 500;
/** Folders, and rows that nothing else hangs on. */
const foldersAtOnce = 1_000;
const rowsAtOnce = 5_000;

/** A change of many rows that has begun. */
export interface BulkChange {
  readonly id: string;
  readonly platformId: string;
  readonly userId: string;
  /** `user` deletes all that a user had who is deleted. */
  readonly kind: 'trash' | 'restore' | 'delete' | 'user';
  readonly folderId: string | null;
  /** The folder of the trashing that is made or undone, and its instant with microseconds. */
  readonly root: string | null;
  readonly at: string | null;
  readonly actor: string;
  readonly token: string;
  /** What `updated_at` becomes. */
  readonly begunAt: string;
}

const changeRow = `id, platform_id AS "platformId", user_id AS "userId", kind, folder_id AS "folderId",
  root_id AS root, trashed_at::text AS at, actor, token, begun_at::text AS "begunAt"`;

/** Notes what is left to do of a change that the transaction begins, with its actor and token. */
export const noteChange = (
  tx: Queryable,
  change: Pick<BulkChange, 'userId' | 'kind'> &
    Partial<Pick<BulkChange, 'platformId' | 'folderId' | 'root' | 'at'>>,
) =>
  onlyRow<BulkChange>(
    tx,
    `INSERT INTO bulk_changes (id, platform_id, user_id, kind, folder_id, root_id, trashed_at, actor, token)
     VALUES ($1, coalesce($2::uuid, (SELECT platform_id FROM users WHERE id = $3)), $3, $4, $5, $6, $7,
       coalesce(nullif(current_setting('imgstore.actor', true), ''), 'user'), $8)
     RETURNING ${changeRow}`,
    [
      uuidv7(),
      change.platformId ?? null,
      change.userId,
      change.kind,
      change.folderId ?? null,
      change.root ?? null,
      change.at ?? null,
      currentToken(),
    ],
  );

/** Changes in the order in which they began; of a user, or of a platform, or all. */
export const selectChanges = (
  db: Queryable,
  of: { readonly userId?: string; readonly platformId?: string } = {},
): Promise<BulkChange[]> =>
  rows(
    db,
    `SELECT ${changeRow} FROM bulk_changes
     WHERE ($1::uuid IS NULL OR user_id = $1) AND ($2::uuid IS NULL OR platform_id = $2) ORDER BY id`,
    [of.userId ?? null, of.platformId ?? null],
  );

/** Locks a change for the transaction, which acts as who began it. @returns false if it has ended. */
export const lockChange = (tx: Queryable, { id }: BulkChange) =>
  exists(
    tx,
    `SELECT set_config('imgstore.actor', actor, true), set_config('imgstore.token', token, true)
     FROM bulk_changes WHERE id = $1 FOR UPDATE`,
    [id],
  );

export const endChange = (tx: Queryable, { id }: BulkChange): Promise<unknown> =>
  rows(tx, 'DELETE FROM bulk_changes WHERE id = $1', [id]);

/** Ends what was begun for a user who is being deleted. */
export const endChangesOf = (tx: Queryable, userId: string): Promise<unknown> =>
  rows(tx, 'DELETE FROM bulk_changes WHERE user_id = $1', [userId]);

/** The tree of folder `$1` of user `$2`, nearest first, as far as `along` admits folders `c`. */
const tree = (along = 'true'): string =>
  subtree({ folder: '$1', user: '$2', along: `AND ${along}` });

/** Which folders `f` and images `i` a change has yet to reach; `$3` and `$4` are its root and instant. */
const left = {
  trash: {
    along: '(c.deleted_at IS NULL OR (c.trashed_with = $3 AND c.deleted_at = $4::timestamptz))',
    folder: 'f.deleted_at IS NULL',
    image: 'i.deleted_at IS NULL',
  },
  restore: {
    along: '(c.deleted_at IS NULL OR (c.trashed_with = $3 AND c.deleted_at = $4::timestamptz))',
    // One below it whose title another folder has got meanwhile stays in the trash.
    folder: `f.deleted_at = $4::timestamptz AND (f.id = $1 OR NOT EXISTS (
      SELECT FROM folders s WHERE s.user_id = $2 AND s.parent_id = f.parent_id
        AND s.title = f.title AND s.deleted_at IS NULL))`,
    image: 'i.trashed_with = $3 AND i.deleted_at = $4::timestamptz',
  },
  delete: { along: 'true', folder: 'f.deleting_at IS NULL', image: 'true' },
} as const;

type Kind = keyof typeof left;

/** How a change of that kind sets a folder; `$5` is when it began. */
const setFolder: Readonly<Record<Kind, string>> = {
  trash: `deleted_at = $4::timestamptz, trashed_with = CASE WHEN f.id <> $3 THEN $3::uuid END,
    updated_at = greatest(f.updated_at, $5::timestamptz)`,
  restore: `deleted_at = NULL, trashed_with = NULL, updated_at = greatest(f.updated_at, $5::timestamptz)`,
  delete: `deleting_at = $5::timestamptz, deleted_at = coalesce(f.deleted_at, $5::timestamptz)`,
};

/** Only what a change is about, in the order of its parameters. */
export interface TreeChange extends Pick<BulkChange, 'userId' | 'root' | 'at' | 'begunAt'> {
  readonly kind: Kind;
  readonly folderId: string;
}

const parametersOf = ({ folderId, userId, root, at, begunAt }: TreeChange): unknown[] => [
  folderId,
  userId,
  root,
  at,
  begunAt,
];

/** PostgreSQL wants every parameter used. */
const typed = 'SELECT $1::uuid, $2::uuid, $3::uuid, $4::timestamptz, $5::timestamptz';

/** Changes the next folders of a tree, parents first. @returns whether any may be left. */
export async function changeFolders(tx: Queryable, change: TreeChange): Promise<boolean> {
  const { along, folder } = left[change.kind];
  const changed = await rows(
    tx,
    `${tree(along)}, given AS (${typed}), batch AS MATERIALIZED (
       SELECT f.id FROM tree JOIN folders f ON f.id = tree.id WHERE ${folder}
       ORDER BY tree.level LIMIT ${foldersAtOnce}
     )
     UPDATE folders f SET ${setFolder[change.kind]} FROM batch WHERE f.id = batch.id RETURNING 1`,
    parametersOf(change),
  );
  return changed.length === foldersAtOnce;
}

/** The images that a change has yet to reach. */
export async function selectImagesLeft(db: Queryable, change: TreeChange): Promise<PackedIds> {
  const { along, image } = left[change.kind];
  const ids = await onlyValue<Buffer>(
    db,
    `${tree(along)}, given AS (${typed})
     SELECT coalesce(string_agg(uuid_send(i.id), '' ORDER BY i.id), '')
     FROM tree JOIN images i ON i.user_id = $2 AND i.folder_id = tree.id WHERE ${image}`,
    parametersOf(change),
  );
  return new PackedIds(ids);
}

/** All images of a tree. */
export const selectImagesBelow = (tx: Queryable, tree: Pick<TreeChange, 'userId' | 'folderId'>) =>
  selectImagesLeft(tx, { kind: 'delete', ...tree, root: null, at: null, begunAt: 'now' });

/** The first of the images that are left: at most as many as one transaction changes. */
export const selectFirstImages = (db: Queryable, change: TreeChange): Promise<string[]> => {
  const { along, image } = left[change.kind];
  return column<string>(
    db,
    `${tree(along)}, given AS (${typed})
     SELECT i.id FROM tree JOIN images i ON i.user_id = $2 AND i.folder_id = tree.id
     WHERE ${image} LIMIT ${imagesAtOnce}`,
    parametersOf(change),
  );
};

/**
 * Deletes images with everything attached to them; triggers update the counters and queue the objects for
 * reclaim. The caller must hold the user's lock, so that no image is restored between being selected and deleted; the
 * database refuses what a hold keeps. Their versions are deleted first in one
 * statement: the cascade would delete them one by one, running the trigger for each.
 */
export async function deleteImages(
  tx: Queryable,
  userId: string,
  ids: readonly string[],
): Promise<void> {
  const deleted = 'user_id = $1 AND image_id = ANY ($2::uuid[])';
  await rows(tx, `DELETE FROM image_versions WHERE ${deleted}`, [userId, ids]);
  await rows(tx, `DELETE FROM images WHERE user_id = $1 AND id = ANY ($2::uuid[])`, [userId, ids]);
}

/**
 * Changes images that were found to be left: those that are still where the change has to find them.
 */
export async function changeImages(
  tx: Queryable,
  { kind, userId, root, at, begunAt }: TreeChange,
  ids: readonly string[],
): Promise<void> {
  if (kind === 'delete') {
    const here = await column<string>(
      tx,
      `SELECT i.id FROM images i JOIN folders f ON f.id = i.folder_id AND f.user_id = i.user_id
       WHERE i.user_id = $1 AND i.id = ANY ($2::uuid[]) AND f.deleting_at IS NOT NULL`,
      [userId, ids],
    );
    return deleteImages(tx, userId, here);
  }
  if (kind === 'trash') {
    await rows(
      tx,
      `UPDATE images i
       SET deleted_at = $4, trashed_with = $3, updated_at = greatest(i.updated_at, $5::timestamptz)
       FROM folders f
       WHERE i.user_id = $1 AND i.id = ANY ($2::uuid[]) AND i.deleted_at IS NULL
         AND f.id = i.folder_id AND f.deleted_at = $4 AND (f.id = $3 OR f.trashed_with = $3)`,
      [userId, ids, root, at, begunAt],
    );
    return;
  }
  await rows(
    tx,
    `UPDATE images i
     SET deleted_at = NULL, trashed_with = NULL, updated_at = greatest(i.updated_at, $5::timestamptz)
     WHERE i.user_id = $1 AND i.id = ANY ($2::uuid[]) AND i.trashed_with = $3 AND i.deleted_at = $4`,
    [userId, ids, root, at, begunAt],
  );
}

/** Deletes folders of a tree without images, the deepest first. @returns whether any may be left. */
export async function deleteFolders(
  tx: Queryable,
  { userId, folderId }: Pick<TreeChange, 'userId' | 'folderId'>,
): Promise<boolean> {
  const deleted = await rows(
    tx,
    `${tree()}, batch AS MATERIALIZED (SELECT id FROM tree ORDER BY level DESC LIMIT ${foldersAtOnce})
     DELETE FROM folders f USING batch WHERE f.id = batch.id RETURNING 1`,
    [folderId, userId],
  );
  return deleted.length === foldersAtOnce;
}

/** Some images with all that is stored of them. */
export interface SomeImages {
  readonly ids: readonly string[];
  readonly versions: number;
  readonly objects: number;
  /** Of originals and edits. */
  readonly bytes: number;
}

/** The next images of a user, with their counts. */
export async function selectSomeImages(tx: Queryable, userId: string): Promise<SomeImages> {
  const found = await row<Omit<SomeImages, 'ids'> & { readonly ids: string[] | null }>(
    tx,
    `WITH batch AS MATERIALIZED (SELECT id FROM images WHERE user_id = $1 LIMIT ${imagesAtOnce})
     SELECT (SELECT array_agg(id) FROM batch) AS ids, count(*)::int AS versions,
            2 * count(*)::int + count(v.display_extension)::int + count(v.full_extension)::int AS objects,
            coalesce(sum(v.bytes), 0)::bigint AS bytes
     FROM image_versions v WHERE v.image_id IN (SELECT id FROM batch) AND v.user_id = $1`,
    [userId],
  );
  return { versions: 0, objects: 0, bytes: 0, ...found, ids: found?.ids ?? [] };
}

/** What else a user leaves, each with the condition and key of its rows, in the order of deletion. */
const leavings: readonly (readonly [table: string, key: string, atOnce: number])[] = [
  ['upload_set_files', 'upload_set_id, hash', rowsAtOnce],
  ['upload_sets', 'id', foldersAtOnce],
  ['places', 'cell, location', rowsAtOnce],
  ['map_cells', 'zoom, cell', rowsAtOnce],
];

/** Deletes the next rows that a deleted user without images has left. @returns whether any may be left. */
export async function deleteLeavings(tx: Queryable, userId: string): Promise<boolean> {
  for (const [table, key, atOnce] of leavings) {
    const deleted = await rows(
      tx,
      `DELETE FROM ${table} WHERE user_id = $1 AND (${key}) IN (
         SELECT ${key} FROM ${table} WHERE user_id = $1 LIMIT ${atOnce}) RETURNING 1`,
      [userId],
    );
    if (deleted.length > 0) return true;
  }
  const folders = await rows(
    tx,
    `DELETE FROM folders WHERE user_id = $1 AND id IN (
       SELECT f.id FROM folders f WHERE f.user_id = $1
         AND NOT EXISTS (SELECT FROM folders c WHERE c.parent_id = f.id AND c.user_id = $1)
       LIMIT ${foldersAtOnce}) RETURNING 1`,
    [userId],
  );
  return folders.length > 0;
}

/**
 * Deletes the row of a user, and with it tokens, links and open uploads: from then on, the user is unknown.
 * @returns how much the user had; undefined if there is no such user.
 */
export const deleteUserRow = (tx: Queryable, userId: string) =>
  row<{ platformId: string; images: number; folders: number }>(
    tx,
    `WITH gone AS (DELETE FROM users u WHERE u.id = $1 AND ${byToken('$2')} RETURNING u.*),
     noted AS (${noteFormerUser('gone')})
     SELECT u.platform_id AS "platformId", u.active_images + u.trashed_images AS images,
       (SELECT count(*)::int FROM folders f WHERE f.user_id = u.id AND f.deleting_at IS NULL) AS folders
     FROM gone u`,
    [userId, currentToken()],
  );
