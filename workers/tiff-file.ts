import { closeSync, openSync, readSync } from 'node:fs';
import type { ReadAt } from './tiff-directory.js';

/** Passes the bytes of a file to `use` and closes the file afterward. */
export function withFile<T>(path: string, use: (readAt: ReadAt) => T): T {
  const file = openSync(path, 'r');
  try {
    return use((offset, length) => {
      if (!Number.isSafeInteger(offset) || offset < 0) return undefined;
      const buffer = Buffer.alloc(length);
      return readSync(file, buffer, 0, length, offset) === length ? buffer : undefined;
    });
  } finally {
    closeSync(file);
  }
}
