import { readFile } from 'node:fs/promises';
import { type Filling, type Salvager, twoFillings } from './salvage.js';
import { bytesPerMegabyte } from '../../src/base/units.js';

const fileHeaderBytes = 12;
const chunkHeaderBytes = 8;
/** Frames begin with their position, size, duration, and flags. */
const frameHeaderBytes = 16;
const maxFilling = 64 * bytesPerMegabyte;

/** Offset of the first chunk, from `at` on, that the end of the file truncates. */
function cutChunk(file: Buffer, at: number): { at: number; type: string } | undefined {
  while (at + chunkHeaderBytes <= file.length) {
    const size = file.readUInt32LE(at + 4);
    const end = at + chunkHeaderBytes + size + (size % 2);
    if (end > file.length) return { at, type: file.toString('latin1', at, at + 4) };
    at = end;
  }
  return undefined;
}

const isPixels = (type: string): boolean => type === 'VP8 ' || type === 'VP8L';

/**
 * A complete file with this beginning; the sizes of these chunks, of the file, and its end are
 * corrected.
 */
function closed(beginning: Buffer, ...chunks: readonly number[]): Buffer {
  const file = beginning.length % 2 ? Buffer.concat([beginning, Buffer.alloc(1)]) : beginning;
  file.writeUInt32LE(file.length - 8, 4);
  for (const at of chunks) file.writeUInt32LE(file.length - at - chunkHeaderBytes, at + 4);
  return file;
}

/**
 * Completes a truncated file: drops everything after the last complete image; an image that is
 * itself truncated, including the first frame of an animation, is filled in.
 */
function repairer(file: Buffer): ((filling: Filling) => Buffer) | undefined {
  const cut = cutChunk(file, fileHeaderBytes);
  if (!cut) return undefined;
  // There are pixels before it, so the truncated part is a later frame, or not an image.
  const isFirst = !/VP8[ L]|ANMF/.test(typesBefore(file, cut.at));
  const inner =
    cut.type === 'ANMF' ? cutChunk(file, cut.at + chunkHeaderBytes + frameHeaderBytes) : undefined;
  const pixels = inner ?? cut;
  if (!isFirst || !isPixels(pixels.type))
    return () => closed(Buffer.from(file.subarray(0, cut.at)));
  // Random data takes about as many bytes per pixel as the real data would.
  const length = Math.min(4 * file.readUInt32LE(pixels.at + 4) + 65_536, maxFilling);
  return (filling) =>
    closed(Buffer.concat([file, filling(length)]), ...(inner ? [cut.at, inner.at] : [cut.at]));
}

function typesBefore(file: Buffer, end: number): string {
  let types = '';
  for (let at = fileHeaderBytes; at < end;) {
    types += file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    at += chunkHeaderBytes + size + (size % 2);
  }
  return types;
}

/** libwebp rejects truncated files, so the file is completed first. */
export const webp: Salvager = {
  isTruncated: () => Promise.resolve(false),
  async salvage(path, open) {
    const repaired = repairer(await readFile(path));
    return repaired && twoFillings(repaired, open);
  },
};
