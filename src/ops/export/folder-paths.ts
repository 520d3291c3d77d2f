import type { FolderRecord } from '../../library/folders/schemas.js';

/** For the name of one directory, in UTF-8: nested paths still fit on every file system. */
const maxNameBytes = 100;

/** For a whole path, in UTF-8; deeper folders are put next to each other. */
const maxPathBytes = 1_000;

/** Names that Windows reserves for devices. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Directories for the folders of a user: their titles, as every file system takes them. */
export class ExportPaths {
  readonly #paths = new Map<string, string>();
  /** In lower case, since some file systems are case-insensitive. */
  readonly #taken = new Set<string>();

  /** Must be called for a parent before its children. */
  add({ id, title, parent_id: parent }: FolderRecord): void {
    const above = parent === null ? undefined : this.#paths.get(parent);
    const name = safeName(title);
    let path = above === undefined ? name : `${above}/${name}`;
    if (Buffer.byteLength(path) > maxPathBytes) path = `deep folders/${id}`;
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

/**
 * A title as the name of a directory, without anything that a file system rejects or takes for a
 * path.
 */
export function safeName(title: string): string {
  let name = title.replaceAll(/[<>:"/\\|?*\p{Cc}\p{Cs}]/gu, '_').normalize('NFC');
  while (Buffer.byteLength(name) > maxNameBytes) name = [...name].slice(0, -1).join('');
  name = name.replace(/[. ]+$/, '').trimStart();
  if (name === '' || name.startsWith('.') || reserved.test(name)) return `_${name}`;
  return name;
}
