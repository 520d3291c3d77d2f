import { validate as isUuid } from 'uuid';
import type { Queryable } from '../database/sql.js';
import { ServiceError } from '../errors/catalogue.js';
import { toMegabytes } from '../http/records.js';
import type { FolderImages } from '../images/folder-images.js';
import type { Absolute } from '../images/record.js';
import type { WallClock } from '../time.js';
import { nest } from './nest.js';
import { countFolders, selectFolders, selectShelf } from './queries.js';
import type { Shelf, Slice } from './queries.js';
import { folderRecordOf } from './record.js';
import type { ContentsQuery, FolderContents, FolderTree } from './schemas.js';
import { selectPath } from './tree-queries.js';

/** Reads of users' trees. */
export class FolderReads {
  constructor(
    private readonly db: Queryable,
    private readonly images: FolderImages,
    private readonly clock: WallClock,
  ) {}

  /** All folders as trees, siblings by title. @param trash only it, all but it, or null for both. */
  async tree(userId: string, trash: boolean | null): Promise<FolderTree[]> {
    const rows = await selectFolders(this.db, userId, trash);
    return nest(rows.map((row) => folderRecordOf(row, this.clock)));
  }

  /**
   * A page of what lies directly in a folder, folders before images.
   * @param folderId null: the top level.
   * @throws ServiceError `folder_not_found`.
   */
  async contents(
    userId: string,
    folderId: string | null,
    query: ContentsQuery,
    absolute: Absolute,
  ): Promise<FolderContents> {
    const shelf = { userId, parentId: folderId, trash: query.has_delete_at ?? null };
    const path = await this.#path(userId, folderId);
    const [folders, images] = await Promise.all([
      countFolders(this.db, shelf),
      query.get_image ? this.images.total(userId, folderId, shelf.trash) : { images: 0, bytes: 0 },
    ]);
    const items = await this.#items(shelf, query, folders, absolute);
    return {
      count: items.length,
      total_count: folders + images.images,
      last_index: query.last_index + items.length,
      page_size: query.page_size,
      total_filesize_mb: toMegabytes(images.bytes),
      current_path: `/${path.map(({ title }) => title).join('/')}`,
      current_path_id: `/${path.map(({ id }) => id).join('/')}`,
      items,
    };
  }

  async #path(userId: string, folderId: string | null) {
    if (folderId === null) return [];
    const path = isUuid(folderId) ? await selectPath(this.db, userId, folderId) : [];
    if (path.length === 0) throw new ServiceError('folder_not_found');
    return path;
  }

  /** @param folders how many come before the first image. */
  async #items(
    shelf: Shelf,
    query: ContentsQuery,
    folders: number,
    absolute: Absolute,
  ): Promise<FolderContents['items']> {
    const { last_index: start, page_size: size } = query;
    const order = { sortBy: query.sort_by, descending: query.sort_order === 'desc' };
    const fromFolders = Math.min(Math.max(folders - start, 0), size);
    const ofFolders = { ...order, offset: start, limit: fromFolders };
    const ofImages = {
      ...order,
      offset: Math.max(start - folders, 0),
      limit: query.get_image ? size - fromFolders : 0,
    };
    const [folderItems, imageItems] = await Promise.all([
      this.#folderItems(shelf, ofFolders),
      this.#imageItems(shelf, ofImages, query, absolute),
    ]);
    return [...folderItems, ...imageItems];
  }

  async #folderItems(shelf: Shelf, slice: Slice) {
    const rows = slice.limit > 0 ? await selectShelf(this.db, shelf, slice) : [];
    return rows.map((row) => ({ is_folder: true as const, data: folderRecordOf(row, this.clock) }));
  }

  async #imageItems(shelf: Shelf, slice: Slice, query: ContentsQuery, absolute: Absolute) {
    if (slice.limit === 0) return [];
    const { userId, parentId: folderId, trash } = shelf;
    const extras = {
      memos: query.with_memo === true,
      customs: query.with_custom === true,
      history: query.with_history,
    };
    const records = await this.images.page({ userId, folderId, trash, ...slice }, extras, absolute);
    return records.map((data) => ({ is_folder: false as const, data }));
  }
}
