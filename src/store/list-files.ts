import type { Dir } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isKey } from './key-format.js';
import { isFileMissing } from '../base/os/system-error.js';

/** Entries read from a folder at a time: bounds the memory used, however large the folder. */
const bufferSize = 256;

export interface ListedFile {
  readonly key: string;
  readonly bytes: number;
}

/**
 * Every object below `root` whose key starts with `prefix`. Holds one open folder per level and
 * nothing else. Objects created or deleted in the meantime may or may not be included.
 */
export async function* listFiles(root: string, prefix: string): AsyncGenerator<ListedFile> {
  yield* listDirectory(root, prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix);
}

/** `folder` is empty for the root, otherwise the beginning of a key with a trailing slash. */
async function* listDirectory(
  root: string,
  folder: string,
  prefix: string,
): AsyncGenerator<ListedFile> {
  for await (const entry of (await openDirectory(join(root, folder))) ?? []) {
    const key = folder + entry.name;
    // Names that no key can have are not objects: copies in progress, a file system's lost+found.
    if (!isKey(key)) continue;
    if (entry.isDirectory()) {
      if (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`)) {
        yield* listDirectory(root, `${key}/`, prefix);
      }
    } else if (entry.isFile() && key.startsWith(prefix)) {
      const bytes = await sizeOf(join(root, key));
      if (bytes !== undefined) yield { key, bytes };
    }
  }
}

async function openDirectory(path: string): Promise<Dir | undefined> {
  try {
    return await opendir(path, { bufferSize });
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}
