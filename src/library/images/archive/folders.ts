import { rows, type Queryable } from '../../../database/sql.js';
import { fileName } from '../original-name.js';
import type { EntryNames } from './names.js';

interface FolderRow {
  readonly id: string;
  readonly parentId: string | null;
  readonly title: string;
}

/** These folders and all above them. */
const selectAbove = (db: Queryable, folderIds: readonly string[]): Promise<FolderRow[]> =>
  rows(
    db,
    `WITH RECURSIVE up AS (
       SELECT id, parent_id, title FROM folders WHERE id = ANY ($1::uuid[])
       UNION
       SELECT p.id, p.parent_id, p.title FROM up JOIN folders p ON p.id = up.parent_id
     )
     SELECT id, parent_id AS "parentId", title FROM up`,
    [folderIds],
  );

/** The folders of an archive, below the one that is its top level (null: the user's). */
export class EntryFolders {
  readonly #paths = new Map<string | null, string>();
  readonly #rows = new Map<string, FolderRow>();

  constructor(
    private readonly names: EntryNames,
    top: string | null,
  ) {
    this.#paths.set(top, '').set(null, '');
  }

  /** Reads the folders of these images. */
  async read(
    db: Queryable,
    images: readonly { readonly folderId: string | null }[],
  ): Promise<void> {
    const ids = new Set(images.flatMap(({ folderId: id }) => (id === null ? [] : [id])));
    const unread = [...ids].filter((id) => !this.#rows.has(id));
    if (unread.length === 0) return;
    for (const folder of await selectAbove(db, unread)) this.#rows.set(folder.id, folder);
  }

  /** Empty, or ends with a slash. */
  pathOf(folderId: string | null): string {
    const known = this.#paths.get(folderId);
    const folder = folderId === null ? undefined : this.#rows.get(folderId);
    if (known !== undefined || !folder) return known ?? '';
    const path = `${this.names.give(fileName(folder.title), this.pathOf(folder.parentId))}/`;
    this.#paths.set(folderId, path);
    return path;
  }
}
