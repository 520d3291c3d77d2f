/** A blank as it is, or as a client that encoded it once too often sends it. */
const blanks = new Set([' ', '+', '%20']);

/**
 * Where a `folder_id` sends an image: a folder's id in lower case, null for the top level, or
 * undefined when it says nothing (absent, empty, or the interface's sentinel `UNSET`).
 */
export function targetOf(folderId: string | null | undefined): string | null | undefined {
  if (folderId === undefined || folderId === null) return undefined;
  if (folderId === '' || folderId === 'UNSET') return undefined;
  return blanks.has(folderId) ? null : folderId.trim().toLowerCase() || null;
}
