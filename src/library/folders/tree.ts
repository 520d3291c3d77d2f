import type { FolderRecord, FolderTree } from './schemas.js';

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
