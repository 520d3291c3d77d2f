import { PackedIds } from '../../../database/packed-ids.js';
import type { Queryable } from '../../../database/sql.js';
import type { Batches } from '../../../http/paging/batches.js';
import {
  activeInFolders,
  inFolders,
  restoreImages,
  selectInFolder,
  trashImages,
  trashedInFolders,
} from './folder.sql.js';
import type { FolderImagesFilter, FolderTrashing } from './folder.sql.js';
import type { ListedRow } from '../page.sql.js';
import type { RecordOptions } from '../record-pages.js';
import { deleteImages } from '../removal.sql.js';
import { sumKept, sumKeptInFolder } from '../totals/totals.sql.js';
import type { Images } from '../service.js';
import type { ListTotals } from '../../../http/paging/totals.js';
import type { PagePosition } from '../../../http/paging/page-cursors.js';
import type { SortOrder } from '../../../http/paging/sort-order.js';

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
