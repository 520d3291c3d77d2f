/** A file, and the folders that it was in. */
export interface Dropped {
  readonly file: File;
  readonly path: readonly string[];
}

/** What file managers leave behind. */
const isHidden = (name: string): boolean => name.startsWith('.') || name === 'Thumbs.db';

/** All files of what was dropped, those in folders too. */
export async function filesOf(transfer: DataTransfer): Promise<Dropped[]> {
  // Before anything is awaited: afterward the browser shows nothing of it.
  const entries = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const found: Dropped[] = [];
  for (const entry of entries) {
    if (entry instanceof File) found.push({ file: entry, path: [] });
    else if (entry) await walk(entry, [], found);
  }
  return found;
}

async function walk(
  entry: FileSystemEntry,
  path: readonly string[],
  found: Dropped[],
): Promise<void> {
  if (isHidden(entry.name)) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push({ file, path });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const more = (): Promise<FileSystemEntry[]> =>
    new Promise((resolve, reject) => reader.readEntries(resolve, reject));
  // It gives a hundred or so at a time.
  for (let some = await more(); some.length > 0; some = await more()) {
    for (const each of some) await walk(each, [...path, entry.name], found);
  }
}

/** Files that were picked in a dialog; those of a folder know where they were. */
export const picked = (files: Iterable<File>): Dropped[] =>
  Array.from(files, (file) => ({
    file,
    path: file.webkitRelativePath.split('/').slice(0, -1),
  })).filter(({ file }) => !isHidden(file.name));
