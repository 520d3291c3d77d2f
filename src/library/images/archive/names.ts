import { rows, type Queryable } from '../../../database/sql.js';
import { namedAs } from '../../../store/object-key.js';
import { fileName, fittingName, withExtension } from '../original-name.js';

/**
 * Unique names of entries; a number is added to a name that is already taken. Case makes no
 * difference, since to some file systems it makes none.
 */
export class EntryNames {
  readonly #taken = new Set<string>();

  constructor(...taken: readonly string[]) {
    for (const name of taken) this.#take(name);
  }

  /** A name that has not been given yet in this folder, a path that is empty or ends with a slash. */
  give(wanted: string, folder = ''): string {
    let name = folder + fittingName(wanted);
    for (let n = 2; !this.#take(name); n += 1) name = folder + fittingName(wanted, ` (${n})`);
    return name;
  }

  /** @returns whether it was free. */
  #take(name: string): boolean {
    const before = this.#taken.size;
    this.#taken.add(name.toLowerCase());
    return this.#taken.size > before;
  }
}

interface NamedImage {
  readonly edits: number;
  readonly filename: string;
  readonly originalName: string | null;
  readonly originalExtension: string;
  /** Of the current version: its extension, and the name that its file came with. */
  readonly extension: string;
  readonly versionName: string | null;
}

/**
 * The name of an image's entry: the original name, of an edit its own or that of the image with its
 * extension; without one, the filename. It ends like the format of the file.
 */
export function wantedName(image: NamedImage): string {
  const { edits, filename, originalName, originalExtension, extension, versionName } = image;
  const own = edits > 0 ? versionName : originalName;
  const name =
    own ??
    (originalName && extension !== originalExtension
      ? withExtension(originalName, extension)
      : originalName);
  return name === null ? filename : fileName(namedAs(name, extension));
}

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
