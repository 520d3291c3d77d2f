import type { Queryable } from '../../database/sql.js';
import { Batches, BatchReader } from '../../http/paging/batches.js';
import type { MaybeBatched } from '../../http/paging/batches.js';
import type { FolderRow } from './folders.sql.js';
import type { FolderRecord, FolderTree } from './schemas.js';
import { selectFoldersById, selectTreeOrder } from './tree.sql.js';

/** Folders whose rows are held in memory at a time. */
const atOnce = 500;

interface LeveledFolder {
  /** 1 for a root. */
  readonly level: number;
  readonly record: FolderRecord;
}

/**
 * A forest of any size, produced while it is sent. Its order, 18 bytes per folder, is read once at
 * the start; rows are then fetched in that order. Folders deleted in the meantime are omitted with
 * everything below them.
 */
export async function streamTree(
  db: Queryable,
  user: { readonly userId: string; readonly trash: boolean | null },
  record: (row: FolderRow) => FolderRecord,
): Promise<Batches<MaybeBatched<FolderTree>>> {
  const order = await selectTreeOrder(db, user.userId, user.trash);
  return new Batches(below(0, new BatchReader(leveledFolders(db, user.userId, order, record))));
}

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

async function* leveledFolders(
  db: Queryable,
  userId: string,
  { ids, levels }: Awaited<ReturnType<typeof selectTreeOrder>>,
  record: (row: FolderRow) => FolderRecord,
): AsyncGenerator<LeveledFolder[]> {
  let n = 0;
  let missing = Infinity; // level of the last folder that no longer exists
  for (const slice of ids.slices(atOnce)) {
    const rows = new Map((await selectFoldersById(db, userId, slice)).map((row) => [row.id, row]));
    const found: LeveledFolder[] = [];
    for (const id of slice) {
      const level = levels.readInt16BE(2 * n);
      n += 1;
      if (level > missing) continue;
      const row = rows.get(id);
      missing = row ? Infinity : level;
      if (row) found.push({ level, record: record(row) });
    }
    yield found;
  }
}
