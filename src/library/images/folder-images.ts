import { PackedIds } from '../../database/packed-ids.js';
import { type Queryable, parameters, rows, type Bind } from '../../database/sql.js';
import type { Batches } from '../../http/paging/batches.js';
import { type PagePosition, type SortOrder, sortOrderSql } from '../../http/paging/page-cursors.js';
import type { ListTotals } from '../../http/paging/bookmarks.js';
import { idBatches, trashCondition, type TrashFilter } from './images.sql.js';
import { type ListedRow, pageIds, pageQuery } from './page.sql.js';
import type { RecordOptions } from './record-pages.js';
import { deleteImages } from './removal.js';
import type { Images } from './service.js';
import { sumKept, sumKeptInFolder } from './totals.sql.js';

/** The images directly in a folder, or at the top level. */
interface FolderImagesFilter {
  readonly userId: string;
  readonly folderId: string | null;
  readonly trash: TrashFilter;
}

/** Images `i` of user `$1` in a folder; the top level has no id to bind. */
const inFolder = ({ folderId, trash }: FolderImagesFilter, bind: Bind): string =>
  `i.user_id = $1 AND i.folder_id ${folderId === null ? 'IS NULL' : `= ${bind(folderId)}`} ${trashCondition(trash)}`;

const sortedImages = { alias: 'i', folder: 'folder_id', name: 'filename' };

/** Images of a folder from a position on. */
export function selectInFolder(
  db: Queryable,
  filter: FolderImagesFilter,
  sortOrder: SortOrder,
  position: PagePosition,
  limit: number,
): Promise<ListedRow[]> {
  const { values, bind } = parameters(filter.userId);
  const { order, key, from } = sortOrderSql(sortOrder, sortedImages, position, bind);
  const where = `${inFolder(filter, bind)} ${from}`;
  const ids = pageIds({ where, order, offset: position.offset, limit }, bind);
  return rows(db, pageQuery({ ids, key, order, limit }), values);
}

/** Active images in these folders. */
const activeInFolders = (
  tx: Queryable,
  userId: string,
  folderIds: readonly string[],
): AsyncGenerator<string[]> =>
  idBatches(tx, 'user_id = $1 AND folder_id = ANY ($2::uuid[]) AND deleted_at IS NULL', [
    userId,
    folderIds,
  ]);

/** The trash event of images: a folder, and the instant as PostgreSQL writes it. */
interface FolderTrashing {
  readonly root: string;
  readonly at: string;
}

/** Images in these folders that were trashed together with a folder. */
const trashedInFolders = (
  tx: Queryable,
  userId: string,
  folderIds: readonly string[],
  { root, at }: FolderTrashing,
): AsyncGenerator<string[]> =>
  idBatches(
    tx,
    `user_id = $1 AND folder_id = ANY ($2::uuid[]) AND trashed_with = $3
     AND deleted_at = $4::timestamptz`,
    [userId, folderIds, root, at],
  );

const inFolders = (
  tx: Queryable,
  userId: string,
  folderIds: readonly string[],
): AsyncGenerator<string[]> =>
  idBatches(tx, 'user_id = $1 AND folder_id = ANY ($2::uuid[])', [userId, folderIds]);

/** Trashes images along with the folder `root`. */
const trashImages = (tx: Queryable, ids: readonly string[], root: string): Promise<unknown> =>
  rows(tx, `UPDATE images SET deleted_at = now(), trashed_with = $2 WHERE id = ANY ($1::uuid[])`, [
    ids,
    root,
  ]);

const restoreImages = (tx: Queryable, ids: readonly string[]): Promise<unknown> =>
  rows(tx, `UPDATE images SET deleted_at = NULL, trashed_with = NULL WHERE id = ANY ($1::uuid[])`, [
    ids,
  ]);

export type FolderImageRow = ListedRow;

/** The images in folders, for the module that manages folders. */
export class FolderImages {
  constructor(
    private readonly db: Queryable,
    private readonly images: Images,
  ) {}

  /** Number and total bytes of the images directly in a folder (null: at the top level). */
  totals({ userId, folderId, trash }: FolderImagesFilter): Promise<ListTotals> {
    return folderId === null
      ? sumKept(this.db, userId, { trash, topLevel: true })
      : sumKeptInFolder(this.db, userId, folderId, trash);
  }

  /** Rows of the images directly in a folder. */
  rows(
    filter: FolderImagesFilter,
    order: SortOrder,
    start: PagePosition,
    limit: number,
  ): Promise<FolderImageRow[]> {
    return selectInFolder(this.db, filter, order, start, limit);
  }

  page<Item>(
    rows: readonly FolderImageRow[],
    wanted: RecordOptions<FolderImageRow, Item>,
  ): Promise<Item[] | Batches<Item>> {
    return this.images.page(rows, wanted);
  }

  /** Trashes the active images in these folders, along with the folder `root`. */
  async trash(
    tx: Queryable,
    userId: string,
    folderIds: readonly string[],
    root: string,
  ): Promise<void> {
    for await (const ids of activeInFolders(tx, userId, folderIds))
      await trashImages(tx, ids, root);
  }

  /**
   * Restores the images in these folders that were trashed along with the folder `root` in that
   * event.
   */
  async restore(
    tx: Queryable,
    userId: string,
    folderIds: readonly string[],
    event: FolderTrashing,
  ): Promise<void> {
    for await (const ids of trashedInFolders(tx, userId, folderIds, event)) {
      await restoreImages(tx, ids);
    }
  }

  /** Permanently deletes all images in these folders. @returns their ids. */
  async remove(tx: Queryable, userId: string, folderIds: readonly string[]): Promise<PackedIds> {
    const removed = new PackedIds();
    for await (const ids of inFolders(tx, userId, folderIds)) {
      await deleteImages(tx, userId, ids);
      removed.add(ids);
    }
    return removed;
  }
}
