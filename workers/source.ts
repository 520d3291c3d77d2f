import { closeSync, fstatSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { FileBytes } from './inspect/file-bytes.js';

/** The bytes of an image: a path, or a repaired copy in memory. */
export type Source = string | Buffer;

/** The last `length` bytes of a file, or all if there are fewer. */
export async function readTail(path: string, length: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - length);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Passes the bytes of an image to `use`, and closes its file afterward. Not asynchronous: a few small
 * reads take less time than passing them to another thread.
 */
export function withBytes<T>(source: Source, use: (bytes: FileBytes) => T): T {
  if (typeof source !== 'string') return use(new FileBytes(source, source.length));
  const fd = openSync(source, 'r');
  try {
    return use(new FileBytes(fd, fstatSync(fd).size));
  } finally {
    closeSync(fd);
  }
}
