import { newKey } from '../../../core/new-key';

/** Where the device is, in degrees and meters. */
export interface Spot {
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy: number;
}

/** What is put on all that is uploaded, as far as it is not empty. */
export interface Details {
  readonly address: string;
  readonly message: string;
  /** Of a custom value. */
  readonly key: string;
  readonly value: string;
}

/** A file, and the folders that it was in. */
export interface Dropped {
  readonly file: File;
  readonly path: readonly string[];
  /** Taken for this upload, with the camera of the device. */
  readonly camera?: true | undefined;
  /** Where that was. */
  readonly spot?: Spot | undefined;
  readonly details?: Details | undefined;
}

/** A file to upload. */
export interface Upload extends Dropped {
  /** The same for each attempt, also in another tab, so that the file is stored once. */
  key: string;
  /** The folder that its own folders are in. */
  readonly into: string;
  /** How often sending was started. */
  attempts: number;
  /** Bytes that the last attempt has sent, after those that need not be sent again. */
  sentBytes: number;
  /** SHA-256 of the file, once it is known. */
  hash?: string;
  problem?: unknown;
  /** It is stored, refused, or given up. */
  isOver?: boolean;
  /** It was answered 401 in this session. */
  refused?: boolean;
}

export const newUpload = (dropped: Dropped, into: string): Upload => ({
  ...dropped,
  into,
  key: newKey(),
  attempts: 0,
  sentBytes: 0,
});

/** Files that file managers leave behind. */
const isHidden = (name: string): boolean => name.startsWith('.') || name === 'Thumbs.db';

/** All dropped files, including those in folders. */
export async function filesOf(transfer: DataTransfer): Promise<Dropped[]> {
  // Before anything is awaited: afterward the browser denies access.
  const entries = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const found: Dropped[] = [];
  for (const entry of entries) {
    if (entry instanceof File) found.push({ file: entry, path: [] });
    else if (entry) await collect(entry, [], found);
  }
  return found;
}

async function collect(
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
  // The browser returns about a hundred at a time.
  for (let some = await more(); some.length > 0; some = await more()) {
    for (const each of some) await collect(each, [...path, entry.name], found);
  }
}

/** Files that were picked in a dialog; those of a folder include their path. */
export const picked = (files: Iterable<File>): Dropped[] =>
  Array.from(files, (file) => ({
    file,
    path: file.webkitRelativePath.split('/').slice(0, -1),
  })).filter(({ file }) => !isHidden(file.name));
