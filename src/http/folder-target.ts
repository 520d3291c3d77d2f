/** A blank, or a double-encoded blank as some clients send it. */
export const isBlank = (text: string): boolean =>
  (text !== '' && text.trim() === '') || text === '+' || text === '%20';

/**
 * The target of a `folder_id` or `parent_id`: a lowercase folder id, null for the top level, or
 * undefined if no target is given (absent, empty, or the API's sentinel `UNSET`). A JSON null is what
 * the record shows for the top level.
 */
export function parseFolderTarget(folderId: string | null | undefined): string | null | undefined {
  if (folderId === undefined || folderId === null) return folderId;
  if (folderId === '' || folderId === 'UNSET') return undefined;
  return isBlank(folderId) ? null : folderId.trim().toLowerCase();
}
