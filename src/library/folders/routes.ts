import { z } from 'zod';
import { operation, type Operation } from '../../http/operation.js';
import { isBlank, parseFolderTarget } from '../../http/request-fields.js';
import type { FolderReads } from './contents.js';
import {
  changedFolder,
  contentsQuery,
  deletedFolders,
  folderContents,
  folderRecord,
  folderTrash,
  folderTree,
  folderUpdate,
  newFolder,
  treeQuery,
} from './schemas.js';
import type { FolderChanges } from './folder-changes.js';

/** Where a new folder is: `UNSET` belongs to updates, and is no folder. */
export const parentOfNew = (parentId: string | null | undefined): string | null =>
  parentId === 'UNSET' ? parentId : (parseFolderTarget(parentId) ?? null);

/** The folder identified by a path, or null for the top level. */
export const folderOfPath = (segment: string): string | null =>
  segment === 'root' || isBlank(segment) ? null : segment;

const folders = '/api/v1/users/:user_id/folders' as const;
const folder = `${folders}/:folder_id` as const;

const reading = { allow: ['read'], method: 'get', scheme: 'User' } as const;
const changing = { allow: ['change'], scheme: 'User' } as const;

export const folderOperations = (reads: FolderReads, changes: FolderChanges): Operation[] => [
  operation(
    {
      ...changing,
      id: 'createFolder',
      method: 'post',
      path: folders,
      summary: 'Create a folder',
      body: newFolder,
      result: folderRecord,
      errors: [
        'user_not_found',
        'folder_not_found',
        'folder_in_trash',
        'folder_too_deep',
        'folder_exists',
        'too_many_folders',
      ],
    },
    ({ path, input }) => changes.create(path.user_id, input.title, parentOfNew(input.parent_id)),
  ),
  operation(
    {
      ...reading,
      id: 'listFolders',
      path: folders,
      summary: "List all of the user's folders as trees, siblings by title",
      query: treeQuery,
      result: z.array(folderTree),
      errors: ['folder_not_found'],
    },
    ({ path, input, resolveUrl }) => {
      const { has_delete_at: trash = null, parent_id: parent, with_counts } = input;
      const listed = { userId: path.user_id, trash, parentId: parseFolderTarget(parent) };
      return reads.tree(listed, with_counts, resolveUrl);
    },
  ),
  operation(
    {
      ...reading,
      id: 'folderContents',
      path: folder,
      summary:
        'List the contents of a folder, or of the top level (root, or a blank): folders, then images',
      query: contentsQuery,
      result: folderContents,
      errors: ['folder_not_found', 'invalid_cursor'],
    },
    ({ path, input, resolveUrl }) => {
      const folderId = folderOfPath(path.folder_id);
      const wanted = { userId: path.user_id, folderId, query: input };
      return reads.contents(wanted, resolveUrl);
    },
  ),
  operation(
    {
      ...changing,
      id: 'updateFolder',
      allowFields: { delete: { True: ['delete'] } },
      method: 'put',
      path: folder,
      summary: 'Rename, move, trash or restore a folder',
      query: folderTrash,
      body: folderUpdate,
      result: changedFolder,
      errors: [
        'user_not_found',
        'folder_not_found',
        'folder_in_trash',
        'folder_cycle',
        'folder_too_deep',
        'folder_exists',
      ],
    },
    ({ path, input }) =>
      changes.update(path.user_id, path.folder_id, {
        title: input.title ?? undefined,
        parentId: parseFolderTarget(input.parent_id),
        trashed: input.delete ?? undefined,
      }),
  ),
  operation(
    {
      id: 'deleteFolder',
      allow: ['delete'],
      scheme: 'User',
      method: 'delete',
      path: folder,
      summary: 'Permanently delete a folder and everything in it',
      result: deletedFolders,
      errors: ['user_not_found', 'folder_not_found', 'held'],
    },
    ({ path }) => changes.remove(path.user_id, path.folder_id),
  ),
];
