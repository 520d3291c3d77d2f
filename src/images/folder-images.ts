import type { Queryable } from '../database/sql.js';
import {
  deleteInFolders,
  restoreInFolders,
  selectInFolder,
  sumInFolder,
  trashInFolders,
} from './folder-queries.js';
import type { FolderPage } from './folder-queries.js';
import type { TrashFilter } from './queries.js';
import type { Absolute } from './record.js';
import type { ImageRecord } from './schemas.js';
import type { Images, With } from './service.js';

/** The images in folders, for the slice that keeps the folders. */
export class FolderImages {
  constructor(
    private readonly db: Queryable,
    private readonly images: Images,
  ) {}

  /** How many images lie directly in a folder (null: at the top level), and their bytes. */
  total(userId: string, folderId: string | null, trash: TrashFilter) {
    return sumInFolder(this.db, { userId, folderId, trash });
  }

  async page(page: FolderPage, extras: With, absolute: Absolute): Promise<ImageRecord[]> {
    return this.images.recordsOf(await selectInFolder(this.db, page), extras, absolute);
  }

  /** Puts what is active in these folders into the trash, along with the folder `root`. */
  async trash(
    tx: Queryable,
    userId: string,
    folderIds: readonly string[],
    root: string,
  ): Promise<void> {
    await trashInFolders(tx, userId, folderIds, root);
  }

  /** Brings back what in these folders went to the trash along with the folder `root`, then. */
  async restore(
    tx: Queryable,
    userId: string,
    folderIds: readonly string[],
    event: { readonly root: string; readonly at: string },
  ): Promise<void> {
    await restoreInFolders(tx, userId, folderIds, event);
  }

  /** Deletes everything in these folders for good. @returns the ids of the images. */
  async remove(tx: Queryable, userId: string, folderIds: readonly string[]): Promise<string[]> {
    return (await deleteInFolders(tx, userId, folderIds)).map(({ id }) => id);
  }
}
