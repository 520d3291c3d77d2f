import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/**
 * Bytes collected before they are written in one call: each call costs as much as copying hundreds
 * of kilobytes. An upload holds no more than this and one further chunk in memory.
 */
const collectedBytes = 512 * 1024;

/**
 * Writes a new file, collecting what arrives in small chunks.
 * @param beforeWrite called before each write; may throw.
 */
export async function writeHashed(
  chunks: AsyncIterable<Buffer>,
  path: string,
  beforeWrite: () => Promise<void>,
): Promise<{ bytes: number; hash: Buffer; crc32: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  let checksum = 0;
  let collected: Buffer[] = [];
  let pending = 0;
  const file = await open(path, 'wx', 0o600);
  const write = async (): Promise<void> => {
    await beforeWrite();
    await writeAll(file, collected, pending);
    collected = [];
    pending = 0;
  };
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      checksum = crc32(chunk, checksum);
      bytes += chunk.length;
      collected.push(chunk);
      pending += chunk.length;
      if (pending >= collectedBytes) await write();
    }
    if (pending > 0) await write();
  } finally {
    await file.close();
  }
  return { bytes, hash: hash.digest(), crc32: checksum };
}

async function writeAll(file: FileHandle, chunks: Buffer[], bytes: number): Promise<void> {
  const { bytesWritten } = await file.writev(chunks);
  // An almost full disk may accept only a part. Writing the rest either succeeds or fails with the
  // reason.
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(chunks).subarray(bytesWritten));
}
