import { readFile } from 'node:fs/promises';
import { readTail } from '../source.js';
import { lzwPixels } from './lzw.js';
import type { Salvager } from './salvager.js';

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
