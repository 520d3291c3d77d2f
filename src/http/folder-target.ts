/** A blank as it is, or as a client sends it that encoded it once too often. */
export const isBlank = (text: string): boolean =>
  (text !== '' && text.trim() === '') || text === '+' || text === '%20';

/**
 * Where a `folder_id` or `parent_id` sends something: a folder's id in lower case, null for the top
 * level, or undefined when it says nothing (absent, empty, or the interface's sentinel `UNSET`).
 */
export function targetOf(folderId: string | null | undefined): string | null | undefined {
  if (folderId === undefined || folderId === null) return undefined;
  if (folderId === '' || folderId === 'UNSET') return undefined;
  return isBlank(folderId) ? null : folderId.trim().toLowerCase();
}
