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
