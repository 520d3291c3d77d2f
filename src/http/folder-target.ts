/** A blank, or the double-encoded blank of a client that encodes once too often. */
export const isBlank = (text: string): boolean =>
  (text !== '' && text.trim() === '') || text === '+' || text === '%20';

/**
 * Where a `folder_id` or `parent_id` points: a lowercase folder id, null for the top level, or
 * undefined if it says nothing (absent, empty, or the API's sentinel `UNSET`).
 */
export function parseFolderTarget(folderId: string | null | undefined): string | null | undefined {
  if (folderId === undefined || folderId === null) return undefined;
  if (folderId === '' || folderId === 'UNSET') return undefined;
  return isBlank(folderId) ? null : folderId.trim().toLowerCase();
}
