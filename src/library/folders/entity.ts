import { entityOf, searchText, timestamps, type RowOf } from '../../database/columns.js';

export const folderColumns = {
  id: { type: 'uuid', primary: true },
  userId: { name: 'user_id', type: 'uuid' },
  /** null: at the top level. */
  parentId: { name: 'parent_id', type: 'uuid', nullable: true },
  title: { type: 'text', collation: 'korean_numeric' },
  ...timestamps,
  deletedAt: { name: 'deleted_at', type: 'timestamptz', nullable: true },
  /** The folder that this one was trashed with; null if it was trashed individually. */
  trashedWith: { name: 'trashed_with', type: 'uuid', nullable: true },
  search: searchText,
  /** Since when it and its images are being deleted in batches; nobody sees it any more. */
  deletingAt: { name: 'deleting_at', type: 'timestamptz', nullable: true },
} as const;

export type Folder = RowOf<typeof folderColumns>;

export const FolderEntity = entityOf('folders', folderColumns);
