/**
 * The parts of JPEG, PNG, WebP, and GIF files, in their order: one walk for all that looks at them,
 * before decoding and after, within the budget of its reader. A file that ends in a part yields that
 * part, too. HEIC and AVIF are in inspect/isobmff.ts, TIFF in src/imaging/tiff-directory.ts.
 */
import type { FileBytes } from './source.js';

export interface Part<Type = string> {
  readonly type: Type;
  readonly at: number;
  /** Where its content begins, and how long that is said to be. */
  readonly start: number;
  readonly length: number;
  /** Where the next part begins; beyond the end of a file that ends here. */
  readonly end: number;
}

export const jpegMarker = {
  startOfScan: 0xda,
  endOfImage: 0xd9,
  app1: 0xe1,
  app13: 0xed,
  defineRestartInterval: 0xdd,
} as const;
const firstMarker = 0xc0;
export const isRestart = (code: number): boolean => (code & 0xf8) === 0xd0;
// Not stuffed zeros, fill bytes, and restart markers, which are within data.
const startsSegment = (code: number): boolean =>
  code >= firstMarker && code !== 0xff && !isRestart(code);

/** Segments by their markers, up to the end of the image; data after a scan is skipped. */
export function* jpegSegments(bytes: FileBytes): Generator<Part<number>> {
  for (let end = 2; ;) {
    const at = bytes.findMarker(end, startsSegment);
    const type = at === undefined ? undefined : bytes.byteAt(at + 1);
    if (at === undefined || type === undefined) return;
    const start = at + 4;
    if (type === jpegMarker.endOfImage) {
      yield { type, at, start, length: 0, end: at + 2 };
      return;
    }
    const length = bytes.at(at + 2, 2)?.readUInt16BE(0);
    end = length === undefined ? Infinity : at + 2 + length;
    yield { type, at, start, length: Math.max(0, (length ?? 0) - 2), end };
    if (end > bytes.size) return;
  }
}

const pngSignatureBytes = 8;
const pngChecksumBytes = 4;

/** Chunks, the last one, `IEND`, included. */
export function* pngChunks(bytes: FileBytes): Generator<Part> {
  for (let at = pngSignatureBytes; ;) {
    const head = bytes.at(at, 8);
    if (head === undefined) return;
    const [length, type] = [head.readUInt32BE(0), head.toString('latin1', 4)];
    const start = at + 8;
    const end = start + length + pngChecksumBytes;
    yield { type, at, start, length, end };
    if (type === 'IEND') return;
    at = end;
  }
}

const riffHeaderBytes = 12;

/** Chunks of the file, or of a chunk that has some, from where these begin. */
export function* webpChunks(bytes: FileBytes, from = riffHeaderBytes): Generator<Part> {
  for (let at = from; ;) {
    const head = bytes.at(at, 8);
    if (head === undefined) return;
    const [type, length] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)];
    const start = at + 8;
    const end = start + length + (length % 2);
    yield { type, at, start, length, end };
    at = end;
  }
}

export const gifHeaderBytes = 13;
export const gifBlock = { extension: 0x21, image: 0x2c, trailer: 0x3b } as const;
/** Of an image, with its position, its size, and how its codes begin. */
export const gifFrameBytes = 11;
const gifBlocks = Object.values(gifBlock) as number[];

const colourTableBytes = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Blocks, the trailer included: where they begin, and where their data does, in blocks of its own. */
export function* gifBlocksOf(
  bytes: FileBytes,
): Generator<Pick<Part<number>, 'type' | 'at' | 'start'>> {
  for (let at = gifHeaderBytes + colourTableBytes(bytes.byteAt(10)); ;) {
    const type = bytes.byteAt(at);
    if (type === undefined || !gifBlocks.includes(type)) return;
    const isImage = type === gifBlock.image;
    const start = at + (isImage ? gifFrameBytes + colourTableBytes(bytes.byteAt(at + 9)) : 2);
    yield { type, at, start };
    if (type === gifBlock.trailer) return;
    at = start;
    for (let length = -1; length !== 0; at += 1 + length) {
      const next = bytes.byteAt(at);
      if (next === undefined) return;
      length = next;
    }
  }
}
