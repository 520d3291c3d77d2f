import type { WallClock } from '../time.js';
import type { FolderRow } from './queries.js';
import type { FolderRecord } from './schemas.js';

/** A row as the interface tells it. */
export const folderRecordOf = (row: FolderRow, clock: WallClock): FolderRecord => ({
  id: row.id,
  user_id: row.userId,
  title: row.title,
  parent_id: row.parentId,
  created_at: clock.format(row.createdAt),
  updated_at: clock.format(row.updatedAt),
  delete_at: row.deletedAt && clock.format(row.deletedAt),
});
