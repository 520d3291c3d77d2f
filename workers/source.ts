import { open } from 'node:fs/promises';

/** The bytes of a picture: a path, or what was mended in memory. */
export type Source = string | Buffer;

/** The last `length` bytes of a file, fewer when there are no more. */
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
