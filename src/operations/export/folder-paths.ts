import type { FolderRecord } from '../../folders/schemas.js';

/** Of one directory's name, in UTF-8: a path of many still fits everywhere. */
const longestName = 100;

/** Of a whole path, in UTF-8; deeper folders are put next to each other. */
const longestPath = 1_000;

/** Names that Windows keeps for devices. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Directories for the folders of a user: their titles, as every file system takes them. */
export class ExportPaths {
  readonly #paths = new Map<string, string>();
  /** In lower case, since some file systems do not tell case apart. */
  readonly #taken = new Set<string>();

  /** To be called for parents before what is in them. */
  add({ id, title, parent_id: parent }: FolderRecord): void {
    const above = parent === null ? undefined : this.#paths.get(parent);
    const name = safeName(title);
    let path = above === undefined ? name : `${above}/${name}`;
    if (Buffer.byteLength(path) > longestPath) path = `deep folders/${id}`;
    const wanted = path;
    for (let n = 2; this.#taken.has(path.toLowerCase()); n += 1) path = `${wanted} (${n})`;
    this.#taken.add(path.toLowerCase());
    this.#paths.set(id, path);
  }

  /** @returns with a slash at the end; empty for the top level. */
  of(folderId: string | null): string {
    const path = folderId === null ? undefined : this.#paths.get(folderId);
    return path === undefined ? '' : `${path}/`;
  }
}

/** A title as the name of a directory: nothing that a file system refuses, or takes for a path. */
export function safeName(title: string): string {
  let name = title.replaceAll(/[<>:"/\\|?*\p{Cc}\p{Cs}]/gu, '_').normalize('NFC');
  while (Buffer.byteLength(name) > longestName) name = [...name].slice(0, -1).join('');
  name = name.replace(/[. ]+$/, '').trimStart();
  if (name === '' || name.startsWith('.') || reserved.test(name)) return `_${name}`;
  return name;
}
