import { only, toFields } from '../../database/columns.js';
import type { WallClock } from '../../base/time.js';
import { folderColumns } from './entity.js';
import type { FolderRow } from './folders.sql.js';
import type { FolderRecord } from './schemas.js';

const plainFields = toFields(only(folderColumns, 'id', 'userId', 'title', 'parentId'));

/** A row as represented in the API. */
export const folderRecordOf = (row: FolderRow, clock: WallClock): FolderRecord => ({
  ...plainFields(row),
  created_at: clock.format(row.createdAt),
  updated_at: clock.format(row.updatedAt),
  delete_at: row.deletedAt && clock.format(row.deletedAt),
});
