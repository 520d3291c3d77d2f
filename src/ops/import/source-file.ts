import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Bytes read at a time. */
const chunkBytes = 256 * 1024;

/** Bytes from which a format is recognized. */
const headBytes = 32;

/** A picture of a tree, as it was when it was read. */
export interface SourceFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
  /** SHA-256, hexadecimal. */
  readonly hash: string;
}

/**
 * Reads and hashes a file, unless it is not a picture or exceeds the limit.
 * @throws the system's error.
 */
export async function readSource(
  path: string,
  maxBytes: number,
): Promise<SourceFile | 'not_a_picture' | 'too_large'> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { size, mtime } = await file.stat();
    const head = Buffer.alloc(headBytes);
    await file.read(head, 0, headBytes, 0);
    if (!isPicture(head)) return 'not_a_picture';
    if (size > maxBytes) return 'too_large';
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(chunkBytes);
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, bytes);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
    return { path, bytes, modifiedAt: mtime, hash: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

const brands = new Set([
  'heic',
  'heix',
  'hevc',
  'hevx',
  'heim',
  'heis',
  'mif1',
  'msf1',
  'avif',
  'avis',
]);

/** A preliminary check, so that videos are not sent; the service decides. */
export function isPicture(head: Buffer): boolean {
  const text = head.toString('latin1');
  if (/^(\xff\xd8\xff|\x89PNG|GIF8|II\*\0|MM\0\*)/.test(text)) return true;
  if (text.startsWith('RIFF')) return text.slice(8, 12) === 'WEBP';
  return text.slice(4, 8) === 'ftyp' && brands.has(text.slice(8, 12));
}
