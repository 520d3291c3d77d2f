import type { DataSource, EntityManager } from 'typeorm';
import { NIL, validate as isUuid } from 'uuid';
import { ServiceError } from '../../base/errors/catalogue.js';
import { only, selectList, type RowOf } from '../../database/columns.js';
import { column, onlyValue, type Queryable, row, rows } from '../../database/sql.js';
import { actAs, type Actor } from '../../database/fairness.js';
import { isJoint, type Database } from '../../database/joint-transaction.js';
import { deleteTree, finishChanges, type BulkChange } from './bulk-changes.js';
import { subtree, visible } from './tree.js';
import { isFree, kept, selectHoldsOnTrash } from '../holds/held.js';
import { deleteImages } from './bulk-changes.sql.js';
import { underUserLock, type Usage } from '../quota/usage.js';
import { userColumns } from '../users/entity.js';

export { deleteImages };

/** Limits the trash to a platform or user; the whole trash if neither is given. */
export interface TrashScope {
  readonly platformId?: string;
  readonly userId?: string;
}

/** Users fetched per query. */
const ownersPerPage = 1_000;

interface EmptyOneOptions {
  readonly db: DataSource | EntityManager | Database;
  /** In the change feed. */
  readonly actor: Actor;
  /** Images per transaction. */
  readonly batchSize?: number;
  /** Stops the run after the current transaction. */
  readonly signal?: AbortSignal;
  /** Begins no further transaction after so many images and folders. */
  readonly most?: number;
}

interface EmptyTrashOptions extends EmptyOneOptions {
  readonly scope: TrashScope;
  /** Deletes items that have been in the trash at least this long; 0 means everything there now. */
  readonly days: number;
}

interface EmptiedTrash {
  images: number;
  folders: number;
  /** The holds that kept something which was due. */
  holds: string[];
}

/**
 * Permanently deletes items that have been in the trash long enough: individually trashed images in
 * batches, and each folder with everything in it: it is gone when the first transaction ends, so that a
 * restored folder is complete. Every transaction takes the user's lock first and looks at the state again, so
 * a concurrent restore either wins or comes too late. What is held stays, and until its days in the trash have
 * passed again after the hold has ended; of a folder in which something is held, the images that nothing holds
 * go, as if they had been trashed individually. The reclaim job deletes the objects later.
 */
export async function emptyTrash(options: EmptyTrashOptions): Promise<EmptiedTrash> {
  const { db, scope, days, signal } = options;
  const before = await daysAgo(db, days);
  const counts: EmptiedTrash = { images: 0, folders: 0, holds: [] };
  let after: string = NIL;
  for (;;) {
    const page = { before, after, limit: ownersPerPage };
    const owners = await selectTrashOwners(db, scope, page);
    for (const userId of owners) {
      if (signal?.aborted) return counts;
      await emptyOne(options, userId, before, counts);
      after = userId;
    }
    if (owners.length < ownersPerPage) return counts;
  }
}

async function emptyOne(
  options: EmptyOneOptions,
  userId: string,
  before: string,
  counts: EmptiedTrash,
): Promise<void> {
  const { db, actor, batchSize: limit = 500, signal, most = Infinity } = options;
  const isOver = (): boolean => signal?.aborted === true || counts.images + counts.folders >= most;
  const deleteAll = async (batch: (tx: EntityManager) => Promise<number>): Promise<void> => {
    for (let deleted = limit; deleted === limit && !isOver(); counts.images += deleted) {
      deleted = (await underUserLock(db, userId, batch, actor)) ?? 0;
    }
  };
  await deleteAll((tx) => deleteTrashed(tx, { userId, before, limit }));
  for (const folderId of await selectDueTrees(db, userId, before)) {
    if (isOver()) return;
    const tree = { userId, folderId, before };
    const begin = async (tx: EntityManager) => {
      const due = await selectDue(tx, tree);
      if (!due || due.hold !== null) return due;
      return { ...due, left: await deleteTree(tx, tree) };
    };
    const begun = await underUserLock(db, userId, begin, actor);
    if (!begun) continue;
    if (begun.hold !== null) {
      await deleteAll((tx) => deleteFree(tx, tree, limit));
      continue;
    }
    counts.images += begun.images;
    counts.folders += begun.folders;
    const { left } = begun;
    if (left && !isJoint()) await finishChanges(db, left, { ...(signal && { signal }) });
  }
  counts.holds.push(...(await selectHoldsOnTrash(db, userId, before)));
}

/** Images and folders after which one request ends, and leaves the rest to the next. */
const mostPerRequest = 2_000;

interface TrashParts {
  readonly db: Database;
  readonly usage: Usage;
}

/** Whose trash it is; the user must belong to the platform of the caller. */
interface TrashOwner {
  readonly userId: string;
  readonly platformId: string;
  readonly actor: Actor;
}

/** What users, and their platforms, delete from the trash before its time. */
export class Trash {
  constructor(private readonly parts: TrashParts) {}

  /**
   * Deletes what is in the trash: some thousands of images, or one folder with what was trashed
   * along with it, however much that is. @throws ServiceError `user_not_found`.
   */
  async empty({ userId, platformId, actor }: TrashOwner) {
    const { db, usage } = this.parts;
    await usage.of(userId, platformId);
    const counts: EmptiedTrash = { images: 0, folders: 0, holds: [] };
    await emptyOne({ db, actor, most: mostPerRequest }, userId, await daysAgo(db, 0), counts);
    return this.#emptied(userId, counts);
  }

  /** Deletes one image. @throws ServiceError `user_not_found`, `image_not_found`, `image_not_in_trash`, `held`. */
  async remove({ userId, platformId, actor }: TrashOwner, imageId: string) {
    const { db, usage } = this.parts;
    await usage.of(userId, platformId);
    await db.transaction(async (tx) => {
      await usage.lock(tx, userId);
      await actAs(tx, actor);
      await deleteFromTrash(tx, userId, imageId);
    });
    return this.#emptied(userId, { images: 1, folders: 0, holds: [] });
  }

  async #emptied(userId: string, { images, folders, holds }: EmptiedTrash) {
    const { trashedImages } = await this.parts.usage.of(userId);
    return {
      deleted_images: images,
      deleted_folders: folders,
      hold_ids: holds,
      remaining_images: trashedImages,
      remaining_folders: await countTrashedFolders(this.parts.db, userId),
    };
  }
}

const parametersOf = ({ platformId, userId }: TrashScope) => [platformId ?? null, userId ?? null];

/** The moment this many days ago, with PostgreSQL's full precision. */
const daysAgo = (db: Queryable, days: number): Promise<string> =>
  onlyValue(db, `SELECT (now() - make_interval(days => $1))::text`, [days]);

/**
 * Users with anything in the trash since `before` or earlier; at most `limit` of them, after
 * `after`.
 */
const selectTrashOwners = (
  db: Queryable,
  scope: TrashScope,
  page: { before: string; after: string; limit: number },
): Promise<string[]> =>
  column(
    db,
    `SELECT u.id FROM users u
     WHERE u.id IN (
         SELECT user_id FROM images WHERE deleted_at IS NOT NULL AND deleted_at <= $3
         UNION
         SELECT user_id FROM folders WHERE deleted_at IS NOT NULL AND deleted_at <= $3
       )
       AND ($1::uuid IS NULL OR u.platform_id = $1) AND ($2::uuid IS NULL OR u.id = $2)
       AND u.id > $4
     ORDER BY u.id LIMIT $5`,
    [...parametersOf(scope), page.before, page.after, page.limit],
  );

/** Trashed folders whose parent is not, and that are due; those trashed first come first. */
const selectDueTrees = (db: Queryable, userId: string, before: string): Promise<string[]> =>
  column(
    db,
    `SELECT f.id FROM folders f
     WHERE f.user_id = $1 AND f.deleted_at <= $2 AND ${visible('f')} AND NOT EXISTS (
       SELECT FROM folders p
       WHERE p.id = f.parent_id AND p.user_id = $1 AND p.deleted_at IS NOT NULL AND p.deleted_at <= $2)
     ORDER BY f.deleted_at, f.id`,
    [userId, before],
  );

/** Deletes one image from the trash. @throws ServiceError `image_not_found`, `image_not_in_trash`, `held`. */
async function deleteFromTrash(tx: Queryable, userId: string, imageId: string): Promise<void> {
  const image = isUuid(imageId)
    ? await row<{ trashed: boolean }>(
        tx,
        'SELECT deleted_at IS NOT NULL AS trashed FROM images WHERE id = $1 AND user_id = $2',
        [imageId, userId],
      )
    : undefined;
  if (!image) throw new ServiceError('image_not_found');
  if (!image.trashed) throw new ServiceError('image_not_in_trash');
  await deleteImages(tx, userId, [imageId]);
}

/**
 * Deletes some images that were trashed individually, or with a folder that is no longer in the trash, at
 * `before` or earlier, and that nothing has held since then. @returns how many: less than `limit` when none is left.
 */
const deleteTrashed = (
  tx: Queryable,
  { userId, before, limit }: { userId: string; before: string; limit: number },
) =>
  deleteFound(
    tx,
    userId,
    `WITH ${kept('$1', '$2')}
     SELECT id FROM images i
     WHERE user_id = $1 AND deleted_at IS NOT NULL AND deleted_at <= $2
       AND NOT EXISTS (SELECT FROM folders f WHERE f.id = i.trashed_with AND f.deleted_at IS NOT NULL)
       AND ${isFree('i')}
     LIMIT $3`,
    [userId, before, limit],
  );

/** Deletes the images of a user that a statement finds. @returns how many. */
async function deleteFound(tx: Queryable, userId: string, sql: string, values: unknown[]) {
  const ids = await column<string>(tx, sql, values);
  await deleteImages(tx, userId, ids);
  return ids.length;
}

/** A folder in the trash, and the moment up to which it had to get there. */
interface TrashedTree {
  readonly userId: string;
  readonly folderId: string;
  readonly before: string;
}

interface DueTree {
  readonly images: number;
  readonly folders: number;
  /** What holds something in it, or did after it was trashed so that it stays. */
  readonly hold: string | null;
  readonly left?: BulkChange | undefined;
}

/** What is in a folder; undefined if it has been restored, or contains something that is not due. */
async function selectDue(
  tx: Queryable,
  { userId, folderId, before }: TrashedTree,
): Promise<DueTree | undefined> {
  const found = await row<DueTree & { due: boolean }>(
    tx,
    `${subtree({ folder: '$1', user: '$2' })}
     SELECT count(*) FILTER (WHERE what = 'folder')::int AS folders,
            count(*) FILTER (WHERE what = 'image')::int AS images,
            coalesce(bool_and(deleted_at <= $3 AND deleted_at IS NOT NULL), false) AS due,
            hold_on_tree($2, $1, $3) AS hold
     FROM (
       SELECT 'folder' AS what, f.deleted_at FROM tree JOIN folders f ON f.id = tree.id
       UNION ALL
       SELECT 'image', i.deleted_at FROM tree JOIN images i ON i.user_id = $2 AND i.folder_id = tree.id
     ) AS below`,
    [folderId, userId, before],
  );
  return found?.due ? found : undefined;
}

/** Deletes some images of a folder that nothing has held. @returns how many. */
const deleteFree = (tx: Queryable, { userId, folderId, before }: TrashedTree, limit: number) =>
  deleteFound(
    tx,
    userId,
    `${subtree({ folder: '$1', user: '$2' })}, ${kept('$2', '$3')}
     SELECT i.id FROM tree JOIN images i ON i.user_id = $2 AND i.folder_id = tree.id
     WHERE i.deleted_at <= $3 AND ${isFree('i')} LIMIT $4`,
    [folderId, userId, before, limit],
  );

const countTrashedFolders = (db: Queryable, userId: string): Promise<number> =>
  onlyValue(
    db,
    'SELECT count(*)::int AS folders FROM folders WHERE user_id = $1 AND deleted_at IS NOT NULL',
    [userId],
  );

const ownerColumns = only(userColumns, 'platformId', 'platformUserId');

export interface TrashRow extends Readonly<RowOf<typeof ownerColumns>> {
  readonly userId: string;
  readonly images: number;
  readonly folders: number;
  /** Originals and edits: the space freed by emptying. */
  readonly bytes: number;
  readonly oldest: Date;
}

/** The trash of each user who has any; oldest first. */
export const readTrash = (db: Queryable, scope: TrashScope): Promise<TrashRow[]> =>
  rows(
    db,
    `SELECT u.id AS "userId", ${selectList(ownerColumns, 'u')},
            sum(t.images)::int AS images, sum(t.folders)::int AS folders,
            sum(t.bytes)::bigint AS bytes, min(t.oldest) AS oldest
     FROM users u
     JOIN (
       SELECT user_id, count(*) AS images, 0 AS folders, sum(original_bytes + edit_bytes) AS bytes,
              min(deleted_at) AS oldest
       FROM images WHERE deleted_at IS NOT NULL GROUP BY user_id
       UNION ALL
       SELECT user_id, 0, count(*), 0, min(deleted_at)
       FROM folders WHERE deleted_at IS NOT NULL GROUP BY user_id
     ) t ON t.user_id = u.id
     WHERE ($1::uuid IS NULL OR u.platform_id = $1) AND ($2::uuid IS NULL OR u.id = $2)
     GROUP BY u.id ORDER BY oldest, u.id`,
    parametersOf(scope),
  );
