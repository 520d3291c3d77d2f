import { readFile } from 'node:fs/promises';
import { type Part, webpChunks } from '../containers.js';
import { FileBytes } from '../source.js';
import { type Filling, type Salvager, twoFillings } from './salvage.js';
import { bytesPerMegabyte } from '../../src/base/units.js';

const chunkHeaderBytes = 8;
/** Frames begin with their position, size, duration, and flags. */
const frameHeaderBytes = 16;
const maxFilling = 64 * bytesPerMegabyte;

/** The first chunk that the end of the file truncates, and the types of those before it. */
function cutChunk(bytes: FileBytes, from?: number): { cut: Part; before: string[] } | undefined {
  const before: string[] = [];
  for (const chunk of webpChunks(bytes, from)) {
    if (chunk.end > bytes.size) return { cut: chunk, before };
    before.push(chunk.type);
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
  const bytes = new FileBytes(file, file.length);
  const found = cutChunk(bytes);
  if (!found) return undefined;
  const { cut, before } = found;
  // There are pixels before it, so the truncated part is a later frame, or not an image.
  const isFirst = !before.some((type) => isPixels(type) || type === 'ANMF');
  const inner =
    cut.type === 'ANMF' ? cutChunk(bytes, cut.start + frameHeaderBytes)?.cut : undefined;
  const pixels = inner ?? cut;
  if (!isFirst || !isPixels(pixels.type))
    return () => closed(Buffer.from(file.subarray(0, cut.at)));
  // Random data takes about as many bytes per pixel as the real data would.
  const length = Math.min(4 * pixels.length + 65_536, maxFilling);
  return (filling) =>
    closed(Buffer.concat([file, filling(length)]), ...(inner ? [cut.at, inner.at] : [cut.at]));
}

/** libwebp rejects truncated files, so the file is completed first. */
export const webp: Salvager = {
  isTruncated: () => Promise.resolve(false),
  async salvage(path, open) {
    const repaired = repairer(await readFile(path));
    return repaired && twoFillings(repaired, open);
  },
};
