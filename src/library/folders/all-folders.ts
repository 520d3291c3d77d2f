import type { Queryable } from '../../database/sql.js';
import type { WallClock } from '../../base/time.js';
import { folderRecordOf, type FolderRecord } from './schemas.js';
import { selectFoldersById, selectTreeOrder } from './tree.sql.js';

/** Folders whose rows are held in memory at a time. */
const atOnce = 500;

/** Every folder of a user, trash included, parents before children. */
export async function* allFolders(
  tx: Queryable,
  userId: string,
  clock: WallClock,
): AsyncGenerator<FolderRecord[]> {
  const { ids } = await selectTreeOrder(tx, userId, null);
  for (const slice of ids.slices(atOnce)) {
    const rows = new Map((await selectFoldersById(tx, userId, slice)).map((row) => [row.id, row]));
    yield slice.flatMap((id) => {
      const row = rows.get(id);
      return row ? [folderRecordOf(row, clock)] : [];
    });
  }
}
