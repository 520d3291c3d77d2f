import type { Dir } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isKey } from './key.js';
import { isAbsent } from '../os/system-error.js';

/** Entries read from a folder at once: bounds the memory of a walk, whatever a folder holds. */
const bufferSize = 256;

export interface Found {
  readonly key: string;
  readonly bytes: number;
}

/**
 * Every object below `root` whose key starts with `prefix`. Holds one open folder per level and
 * nothing else. What comes or goes meanwhile may or may not be met.
 */
export async function* walk(root: string, prefix: string): AsyncGenerator<Found> {
  yield* walkFolder(root, prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix);
}

/** `folder` is empty for the root, else a key's beginning with the slash at its end. */
async function* walkFolder(root: string, folder: string, prefix: string): AsyncGenerator<Found> {
  for await (const entry of (await openFolder(join(root, folder))) ?? []) {
    const key = folder + entry.name;
    // Names that no key can have are not objects: copies under way, lost+found of a file system.
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
