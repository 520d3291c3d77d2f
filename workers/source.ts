import { open } from 'node:fs/promises';

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
