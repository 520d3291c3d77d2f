import { isBlank, parseFolderTarget } from '../../http/request-fields.js';

/** Words for "nothing"; creation and update interpret them differently. */
const isNothing = (text: string | null | undefined): boolean =>
  text === undefined || text === null || ['', 'none', 'null'].includes(text.toLowerCase());

/** Where a `parent_id` puts a new folder: a lowercase folder id, or null for the top level. */
export function parentForCreation(parentId: string | null | undefined): string | null {
  if (typeof parentId !== 'string' || isNothing(parentId) || isBlank(parentId)) return null;
  return parentId.toLowerCase();
}

/**
 * Where a `parent_id` moves a folder: as above, or undefined for no move, for which a form has words
 * and JSON leaves the field out.
 */
export const parentForUpdate = (parentId: string | null | undefined): string | null | undefined =>
  parentId !== null && isNothing(parentId) ? undefined : parseFolderTarget(parentId);

/** The folder identified by a path, or null for the top level. */
export const folderOfPath = (segment: string): string | null =>
  segment === 'root' || isBlank(segment) ? null : segment;
