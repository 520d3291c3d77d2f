import { readFile } from 'node:fs/promises';
import { gifBlock, gifBlocksOf } from '../containers.js';
import { FileBytes, readTail, withBytes } from '../source.js';
import type { Salvager } from './salvage.js';

/** The data of the blocks from `at` on. */
function* subBlocks(file: Buffer, at: number): Generator<Buffer> {
  for (;;) {
    const length = file[at] ?? 0;
    if (length === 0) return;
    yield file.subarray(at + 1, at + 1 + length);
    at += 1 + length;
  }
}

/** The first frame: where its data begins, and its place on the screen; undefined if there is none. */
export function firstFrameOf(bytes: FileBytes) {
  for (const { type, at, start } of gifBlocksOf(bytes)) {
    const frame = type === gifBlock.image ? bytes.at(at + 1, 8) : undefined;
    if (!frame) continue;
    const [left = 0, top = 0, width = 0, height = 0] = [0, 2, 4, 6].map((i) =>
      frame.readUInt16LE(i),
    );
    return { start, left, top, width, height };
  }
  return undefined;
}

/** Whether the last block is present, with or without garbage after it. */
async function hasTrailer(path: string): Promise<boolean> {
  const tail = await readTail(path, 2);
  if (tail[0] === 0 && tail[1] === gifBlock.trailer) return true;
  return withBytes(path, (bytes) =>
    [...gifBlocksOf(bytes)].some(({ type }) => type === gifBlock.trailer),
  );
}

/** The fraction of the first frame that the data covers. */
function decodedPart(file: Buffer): number {
  const frame = firstFrameOf(new FileBytes(file, file.length));
  const pixels = frame ? frame.width * frame.height : 0;
  if (!frame || pixels === 0) return 0;
  return lzwPixels(subBlocks(file, frame.start), file[frame.start - 1] ?? 0, pixels) / pixels;
}

/** A GIF is shown up to where its data ends; for animations, the first frame counts. */
export const gif: Salvager = {
  isTruncated: async (path) => !(await hasTrailer(path)),
  salvage: async (path, open) => ({
    ...(await open(path)),
    missing: 1 - decodedPart(await readFile(path)),
  }),
};

const maxCodeBits = 12;

/** The codes in a GIF frame's sub-blocks, each as wide as `width` says at that point. */
function* codesIn(blocks: Iterable<Buffer>, width: () => number): Generator<number> {
  let bits = 0;
  let held = 0;
  for (const block of blocks) {
    for (const byte of block) {
      held |= byte << bits;
      bits += 8;
      for (let used = width(); bits >= used; used = width()) {
        yield held & ((1 << used) - 1);
        held >>>= used;
        bits -= used;
      }
    }
  }
}

/**
 * Counts the pixels encoded in LZW data, up to `limit`, from the lengths of its codes alone; stops
 * at an invalid code.
 */
function lzwPixels(blocks: Iterable<Buffer>, codeSize: number, limit: number): number {
  if (codeSize < 1 || codeSize >= maxCodeBits) return 0;
  const clear = 1 << codeSize;
  const lengths = new Uint32Array(1 << maxCodeBits).fill(1, 0, clear);
  let width = codeSize + 1;
  let next = clear + 2;
  let previous = 0;
  let pixels = 0;
  for (const code of codesIn(blocks, () => width)) {
    if (code === clear) {
      [width, next, previous] = [codeSize + 1, clear + 2, 0];
      continue;
    }
    // The code about to be defined repeats the previous one plus its first pixel.
    const length = code === next && previous > 0 ? previous + 1 : (lengths[code] ?? 0);
    if (code === clear + 1 || code > next || (code === next && previous === 0)) break;
    if (previous > 0 && next < lengths.length) {
      lengths[next++] = previous + 1;
      if (next === 1 << width && width < maxCodeBits) width++;
    }
    previous = length;
    pixels += length;
    if (pixels >= limit) return limit;
  }
  return pixels;
}
