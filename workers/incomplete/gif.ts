import { readFile } from 'node:fs/promises';
import { type FileBytes, readTail } from '../source.js';
import type { Salvager } from './salvage.js';

const extensionBlock = 0x21;
const imageBlock = 0x2c;
const trailer = 0x3b;

/** Size of a color table in bytes, according to the flags before it. */
const tableBytes = (flags: number | undefined = 0): number =>
  flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;

/** Yields the data sub-blocks starting at `at`; returns where the next block begins. */
function* subBlocks(file: Buffer, at: number): Generator<Buffer, number> {
  for (;;) {
    const length = file[at] ?? 0;
    if (length === 0) return at + 1;
    yield file.subarray(at + 1, at + 1 + length);
    at += 1 + length;
  }
}

function skip(file: Buffer, at: number): number {
  const blocks = subBlocks(file, at);
  for (;;) {
    const { done, value } = blocks.next();
    if (done) return value;
  }
}

/**
 * The positions of extension and image blocks and of the trailer, up to the trailer or the end of
 * the file.
 */
function* blocksOf(file: Buffer): Generator<{ type: number; at: number }> {
  let at = 13 + tableBytes(file[10]);
  for (;;) {
    const type = file[at];
    if (type !== extensionBlock && type !== imageBlock && type !== trailer) return;
    yield { type, at };
    if (type === trailer) return;
    const data = type === imageBlock ? at + 10 + tableBytes(file[at + 9]) + 1 : at + 2;
    at = skip(file, data);
  }
}

/** Where the first frame is on the screen; undefined if there is none. */
export function firstFrameOf(bytes: FileBytes) {
  let at = 13 + tableBytes(bytes.byteAt(10));
  while (bytes.byteAt(at) === extensionBlock) {
    at += 2;
    for (let length = bytes.byteAt(at) ?? 0; length > 0; length = bytes.byteAt(at) ?? 0) {
      at += 1 + length;
    }
    at += 1;
  }
  const frame = bytes.byteAt(at) === imageBlock ? bytes.at(at + 1, 8) : undefined;
  if (!frame) return undefined;
  const [left = 0, top = 0, width = 0, height = 0] = [0, 2, 4, 6].map((i) => frame.readUInt16LE(i));
  return { left, top, width, height };
}

/** Whether the last block is present, with or without garbage after it. */
async function hasTrailer(path: string): Promise<boolean> {
  const tail = await readTail(path, 2);
  if (tail[0] === 0 && tail[1] === trailer) return true;
  for (const { type } of blocksOf(await readFile(path))) if (type === trailer) return true;
  return false;
}

/** The fraction of the first frame that the data covers. */
function decodedPart(file: Buffer): number {
  for (const { type, at } of blocksOf(file)) {
    if (type !== imageBlock || at + 10 > file.length) continue;
    const pixels = file.readUInt16LE(at + 5) * file.readUInt16LE(at + 7);
    const codeSize = at + 10 + tableBytes(file[at + 9]);
    const blocks = subBlocks(file, codeSize + 1);
    return lzwPixels(blocks, file[codeSize] ?? 0, pixels) / pixels;
  }
  return 0;
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
