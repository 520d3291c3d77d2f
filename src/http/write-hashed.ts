import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/**
 * Bytes collected before they are written in one call: each call costs as much as copying hundreds
 * of kilobytes. An upload holds no more than this and one further piece in memory.
 */
const collectedBytes = 512 * 1024;

/**
 * Writes a new file, collecting what arrives in small pieces.
 * @param beforeWrite called before each write; may throw.
 */
export async function writeHashed(
  pieces: AsyncIterable<Buffer>,
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
    for await (const piece of pieces) {
      hash.update(piece);
      checksum = crc32(piece, checksum);
      bytes += piece.length;
      collected.push(piece);
      pending += piece.length;
      if (pending >= collectedBytes) await write();
    }
    if (pending > 0) await write();
  } finally {
    await file.close();
  }
  return { bytes, hash: hash.digest(), crc32: checksum };
}

async function writeAll(file: FileHandle, pieces: Buffer[], bytes: number): Promise<void> {
  const { bytesWritten } = await file.writev(pieces);
  // A disk that is almost full takes only a part; what is left fails with its reason, or fits.
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(pieces).subarray(bytesWritten));
}
