import { EntitySchema } from 'typeorm';
import { reference, searchText, timestamps, type RowOf } from '../../database/columns.js';

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
} as const;

export type Folder = RowOf<typeof folderColumns>;

export const FolderEntity = new EntitySchema<Folder>({
  name: 'folder',
  tableName: 'folders',
  columns: folderColumns,
  uniques: [{ name: 'folders_id_user_id_key', columns: ['id', 'userId'] }],
  indices: [
    { name: 'folders_grams', columns: ['userId', 'search'] },
    { name: 'folders_parent', columns: ['userId', 'parentId', 'title', 'id'] },
    { name: 'folders_parent_key', columns: ['parentId', 'userId'] },
    {
      name: 'folders_sibling_titles',
      columns: ['userId', 'parentId', 'title'],
      unique: true,
      where: 'deleted_at IS NULL',
    },
    { name: 'folders_trash', columns: ['deletedAt'], where: 'deleted_at IS NOT NULL' },
  ],
  foreignKeys: [
    reference('folders_user_id_fkey', 'users', { userId: 'id' }),
    reference(
      'folders_parent_id_user_id_fkey',
      'folders',
      { parentId: 'id', userId: 'userId' },
      'NO ACTION',
    ),
  ],
});
