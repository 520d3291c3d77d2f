import { validate as isUuid } from 'uuid';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import { toMegabytes } from '../../base/units.js';
import type { Queryable } from '../../database/sql.js';
import { Batches, type MaybeBatched, BatchReader } from '../../http/paging/batches.js';
import {
  indexedFields,
  type FoundPage,
  type PagePosition,
  type Pages,
} from '../../http/paging/pages.js';
import { selectInFolder, totalsInFolder } from '../images/folder-images.js';
import { arrayOf, bytewise, type ResolveUrl } from '../images/record.js';
import { includeOf } from '../images/schemas.js';
import type { Images } from '../images/images.js';
import * as queries from './folders.sql.js';
import { TreeCounts } from './counts.js';
import type { ChildFolders, FolderRow, ListedFolders } from './folders.sql.js';
import {
  folderRecordOf,
  type ContentsQuery,
  type FolderContents,
  type FolderTree,
  type FolderRecord,
} from './schemas.js';

/** Number of folders up to which a tree is held in memory as a whole. */
const fewFolders = 1_000;

interface ContentsRequest {
  readonly userId: string;
  /** null: the top level. */
  readonly folderId: string | null;
  readonly query: ContentsQuery;
}

/** A page of what is in a folder: folders, then images; undefined if these are not read. */
interface ContentsPage extends FoundPage {
  readonly folders: readonly FolderRow[];
  readonly images: Awaited<ReturnType<typeof selectInFolder>> | undefined;
}

/** Each sort key begins with the kind of its item. */
type Kind = 'folder' | 'image';

/** Reads of users' folder trees. */
export class FolderReads {
  constructor(
    private readonly db: Queryable,
    private readonly images: Images,
    private readonly pages: Pages,
    private readonly clock: WallClock,
  ) {}

  /**
   * Folders as trees, siblings by title; those in a folder alone without what is below them.
   * @throws ServiceError `folder_not_found` for the parent.
   */
  async tree(
    listed: ListedFolders,
    withCounts: boolean,
    resolveUrl: ResolveUrl,
  ): Promise<MaybeBatched<FolderTree[]>> {
    const { userId, trash, parentId } = listed;
    const record = (row: FolderRow) => folderRecordOf(row, this.clock);
    if (parentId !== undefined) await this.#path(userId, parentId, 'parent_id');
    else if (!withCounts) {
      const rows = await queries.selectFolders(this.db, userId, trash, fewFolders + 1);
      if (rows.length <= fewFolders) return toTree(rows.map(record));
    }
    const order = await queries.selectTreeOrder(
      this.db,
      listed,
      withCounts || parentId === undefined,
    );
    const counts = withCounts ? await TreeCounts.of(this.db, userId, order) : undefined;
    const folders = leveledFolders(this.db, userId, order, record);
    const listedFolders = counts ? this.#counted(folders, userId, counts, resolveUrl) : folders;
    if (parentId === undefined) return new Batches(below(0, new BatchReader(listedFolders)));
    return new Batches(flat(listedFolders));
  }

  /** Adds what each of the folders contains. */
  async *#counted(
    batches: AsyncIterable<LeveledFolder[]>,
    userId: string,
    counts: TreeCounts,
    resolveUrl: ResolveUrl,
  ): AsyncGenerator<LeveledFolder[]> {
    const time = (at: Date | null) => at && this.clock.format(at);
    for await (const batch of batches) {
      const found = batch.map(({ place }) => counts.at(place));
      const covers = found.flatMap((one) => one.covers);
      const urls = await this.images.thumbUrls(userId, covers, resolveUrl);
      yield batch.map((folder, i) => {
        const { own = 0, below = 0, first = null, last = null, covers = [] } = found[i] ?? {};
        const record = {
          ...folder.record,
          image_count: own,
          image_count_below: below,
          first_taken_at: time(first),
          last_taken_at: time(last),
          cover: covers.flatMap((id) => urls.get(id) ?? []),
        };
        return { ...folder, record };
      });
    }
  }

  /** A page of the direct contents of a folder, folders before images. */
  async contents(
    wanted: ContentsRequest,
    resolveUrl: ResolveUrl,
  ): Promise<MaybeBatched<FolderContents>> {
    const { userId, folderId, query } = wanted;
    const { last_index: index, page_size: size, cursor, sort_by, sort_order, get_image } = query;
    const parent = { userId, parentId: folderId, trash: query.has_delete_at ?? null };
    const path = await this.#path(userId, folderId);
    const list = ['folder', userId, folderId, parent.trash, sort_by, sort_order, get_image];
    const page = await this.pages.of(
      { list, index, cursor, size },
      {
        find: (start) => this.#page(parent, query, start),
        totals: () => this.#totals(parent, query),
      },
    );
    return {
      ...indexedFields(page),
      total_filesize_mb: toMegabytes(page.totals.bytes),
      current_path: `/${path.map(({ title }) => title).join('/')}`,
      current_path_id: `/${path.map(({ id }) => id).join('/')}`,
      items: this.#items(page.found, resolveUrl),
    };
  }

  async #path(userId: string, folderId: string | null, field?: string) {
    if (folderId === null) return [];
    const path = isUuid(folderId) ? await queries.selectPath(this.db, userId, folderId) : [];
    if (path.length === 0) throw new ServiceError('folder_not_found', { ...(field && { field }) });
    return path;
  }

  async #totals({ userId, parentId: folderId, trash }: ChildFolders, query: ContentsQuery) {
    const [folders, images] = await Promise.all([
      queries.countChildFolders(this.db, { userId, parentId: folderId, trash }),
      query.get_image
        ? totalsInFolder(this.db, { userId, folderId, trash })
        : { items: 0, bytes: 0 },
    ]);
    return { items: folders + images.items, bytes: images.bytes };
  }

  async #page(
    parent: ChildFolders,
    query: ContentsQuery,
    { after: [kind, ...key] = [], offset }: PagePosition,
  ): Promise<ContentsPage> {
    const { page_size: size } = query;
    const order = { sortBy: query.sort_by, descending: query.sort_order === 'desc' };
    const start = { offset, ...(kind && { after: key }) };
    const found =
      kind === ('image' satisfies Kind)
        ? []
        : await queries.selectChildFolders(this.db, parent, order, start, size + 1);
    const folders = found.slice(0, size);
    const left = size - folders.length;
    const lastKey = (of: Kind, last: readonly string[] | undefined) => last && [of, ...last];
    const page = {
      folders,
      count: folders.length,
      more: found.length > size,
      lastKey: lastKey('folder', folders.at(-1)?.sortKey),
      images: undefined,
    };
    if (!query.get_image || page.more) return page;
    const passed = !kind && offset > 0 && folders.length === 0;
    const behind = {
      offset: passed ? offset - (await queries.countChildFolders(this.db, parent)) : 0,
    };
    const { userId, parentId: folderId, trash } = parent;
    const images = await selectInFolder(this.db, { userId, folderId, trash }, order, {
      start: kind === 'image' ? start : behind,
      size: left,
      include: includeOf(query),
    });
    return {
      folders,
      count: folders.length + images.count,
      more: images.more,
      lastKey: lastKey('image', images.lastKey) ?? page.lastKey,
      images,
    };
  }

  #items(
    { folders, images }: ContentsPage,
    resolveUrl: ResolveUrl,
  ): MaybeBatched<FolderContents['items']> {
    const first = folders.map((row) => ({
      is_folder: true as const,
      data: folderRecordOf(row, this.clock),
    }));
    if (!images) return first;
    const texts = first.map((item) => bytewise(JSON.stringify(item)));
    const frame = arrayOf(
      () => '{"is_folder":false,"data":',
      () => '}}',
      texts,
    );
    return this.images.list(images, resolveUrl, frame);
  }
}

/** Folders whose rows are held in memory at a time. */
const atOnce = 500;

interface LeveledFolder {
  /** Its place in the order. */
  readonly place: number;
  /** 1 for a root. */
  readonly level: number;
  readonly record: FolderRecord;
}

/** The folders of the first level, whatever is below them. */
async function* flat(
  folders: AsyncIterable<LeveledFolder[]>,
): AsyncGenerator<MaybeBatched<FolderTree>[]> {
  for await (const batch of folders) {
    yield batch
      .filter(({ level }) => level === 1)
      .map(({ record }) => ({ ...record, child_folders: [] }));
  }
}

/**
 * A forest of any size, produced while it is sent. Its order, 18 bytes per folder, is read once at
 * the start; rows are then fetched in that order. Folders deleted in the meantime are omitted with
 * everything below them.
 */
async function* below(
  level: number,
  folders: BatchReader<LeveledFolder>,
): AsyncGenerator<MaybeBatched<FolderTree>[]> {
  for (
    let folder = await folders.peek();
    folder && folder.level > level;
    folder = await folders.peek()
  ) {
    folders.skip();
    const next = await folders.peek();
    const parent = next !== undefined && next.level > folder.level;
    const children = parent ? new Batches(below(folder.level, folders)) : [];
    yield [{ ...folder.record, child_folders: children }];
  }
}

/** Every folder of a user, trash included, parents before children. */
export async function* allFolders(
  tx: Queryable,
  userId: string,
  clock: WallClock,
): AsyncGenerator<FolderRecord[]> {
  const order = await queries.selectTreeOrder(tx, { userId, trash: null });
  const folders = leveledFolders(tx, userId, order, (row) => folderRecordOf(row, clock));
  for await (const batch of folders) yield batch.map(({ record }) => record);
}

async function* leveledFolders(
  db: Queryable,
  userId: string,
  { ids, levels }: Awaited<ReturnType<typeof queries.selectTreeOrder>>,
  record: (row: FolderRow) => FolderRecord,
): AsyncGenerator<LeveledFolder[]> {
  let n = 0;
  let missing = Infinity; // level of the last folder that no longer exists
  for (const slice of ids.slices(atOnce)) {
    const rows = new Map(
      (await queries.selectFoldersById(db, userId, slice)).map((row) => [row.id, row]),
    );
    const found: LeveledFolder[] = [];
    for (const id of slice) {
      const level = levels.readInt16BE(2 * n);
      n += 1;
      if (level > missing) continue;
      const row = rows.get(id);
      missing = row ? Infinity : level;
      if (row) found.push({ place: n - 1, level, record: record(row) });
    }
    yield found;
  }
}

/**
 * Nests folders under their parents, as `selectTreeOrder` does in SQL for large trees. Siblings
 * keep their order; a folder whose parent is not included is a root.
 */
export function toTree(folders: readonly FolderRecord[]): FolderTree[] {
  const nodes = new Map<string, FolderTree>();
  for (const folder of folders) nodes.set(folder.id, { ...folder, child_folders: [] });
  const roots: FolderTree[] = [];
  for (const node of nodes.values()) {
    const parent = node.parent_id === null ? undefined : nodes.get(node.parent_id);
    (parent ? parent.child_folders : roots).push(node);
  }
  return roots;
}
