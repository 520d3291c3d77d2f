import type { Dir } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isKey } from './key.js';
import { isAbsent } from '../os/system-error.js';

/** Entries read from a folder at a time: bounds the memory used, however large the folder. */
const bufferSize = 256;

export interface Found {
  readonly key: string;
  readonly bytes: number;
}

/**
 * Every object below `root` whose key starts with `prefix`. Holds one open folder per level and
 * nothing else. Objects created or deleted in the meantime may or may not be included.
 */
export async function* walk(root: string, prefix: string): AsyncGenerator<Found> {
  yield* walkFolder(root, prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix);
}

/** `folder` is empty for the root, otherwise the beginning of a key with a trailing slash. */
async function* walkFolder(root: string, folder: string, prefix: string): AsyncGenerator<Found> {
  for await (const entry of (await openFolder(join(root, folder))) ?? []) {
    const key = folder + entry.name;
    // Names that no key can have are not objects: copies in progress, a file system's lost+found.
    if (!isKey(key)) continue;
    if (entry.isDirectory()) {
      if (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`)) {
        yield* walkFolder(root, `${key}/`, prefix);
      }
    } else if (entry.isFile() && key.startsWith(prefix)) {
      const bytes = await sizeOf(join(root, key));
      if (bytes !== undefined) yield { key, bytes };
    }
  }
}

async function openFolder(path: string): Promise<Dir | undefined> {
  try {
    return await opendir(path, { bufferSize });
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
