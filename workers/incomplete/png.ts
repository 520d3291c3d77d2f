import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, crc32, createDeflate, createInflate, createInflateRaw } from 'node:zlib';
import { pngChunks } from '../containers.js';
import { Refused } from '../refused.js';
import { FileBytes, readTail } from '../source.js';
import type { Salvager } from './salvage.js';

const signatureBytes = 8;
const endHead = Buffer.from('\0\0\0\0IEND', 'latin1');
const endChunk = Buffer.from('\0\0\0\0IEND\xaeB`\x82', 'latin1');

/** Samples per pixel by color type. */
const samples = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

/** First column and row, and steps, of the seven passes of an interlaced image. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4], // prettier-ignore
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2], // prettier-ignore
] as [number, number, number, number][];

/** Unpacked size of all rows; undefined if the header is invalid. */
function unpackedBytes(header: Buffer): number | undefined {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const bits = header.readUInt8(8) * (samples.get(header.readUInt8(9)) ?? NaN);
  const rows = (columns: number, count: number): number =>
    columns > 0 && count > 0 ? count * (1 + Math.ceil((columns * bits) / 8)) : 0;
  const bytes =
    header.readUInt8(12) === 0
      ? rows(width, height)
      : passes.reduce(
          (sum, [x, y, dx, dy]) =>
            sum + rows(Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)),
          0,
        );
  return bytes > 0 ? bytes : undefined;
}

interface Parts {
  /** The signature and the chunks before the pixels. */
  readonly before: Buffer;
  readonly unpackedBytes: number;
  /**
   * The available compressed pixel data: chunks, and one truncated by the end of the file.
   */
  readonly packed: readonly Buffer[];
  /** How many of these come before the first whose checksum is wrong; undefined if none is. */
  readonly soundChunks: number | undefined;
}

function partsOf(file: Buffer): Parts | undefined {
  const packed: Buffer[] = [];
  let soundChunks: number | undefined;
  let before = signatureBytes;
  for (const { type, at, end } of pngChunks(new FileBytes(file, file.length))) {
    const isData = type === 'IDAT';
    if (packed.length > 0 && !isData) break;
    const content = file.subarray(at + 4, end - 4);
    if (end <= file.length && crc32(content) !== file.readUInt32BE(end - 4)) {
      if (!isData) break;
      soundChunks ??= packed.length;
    }
    if (isData) packed.push(content.subarray(4));
    else before = end;
  }
  const header = file.subarray(signatureBytes + 8, signatureBytes + 21);
  const bytes = header.length === 13 ? unpackedBytes(header) : undefined;
  if (packed.length === 0 || before > file.length || bytes === undefined) return undefined;
  return { before: file.subarray(0, before), unpackedBytes: bytes, packed, soundChunks };
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.length, 0);
  numbers.writeUInt32BE(crc32(content), 4);
  return Buffer.concat([numbers.subarray(0, 4), content, numbers.subarray(4)]);
}

const zlibHeaderBytes = 2;

/** Packed data without what some writers state wrongly: the window before it, the sum after it. */
function* unframed(packed: readonly Buffer[]): Generator<Buffer> {
  let skipped = 0;
  for (const part of packed) {
    const skip = Math.min(zlibHeaderBytes - skipped, part.length);
    skipped += skip;
    yield part.subarray(skip);
  }
}

/**
 * Compresses the pixels again, with zeros for those that are missing.
 *
 * @param isStrict whether the checksum of all pixels must be right
 */
async function repair({ before, unpackedBytes, packed }: Parts, isStrict = false) {
  const pieces: Buffer[] = [];
  let available = 0;
  const flush = { finishFlush: constants.Z_SYNC_FLUSH };
  await pipeline(
    Readable.from(isStrict ? packed : unframed(packed)),
    isStrict ? createInflate(flush) : createInflateRaw(flush),
    async function* (unpacked: AsyncIterable<Buffer>) {
      for await (const chunk of unpacked) {
        available += chunk.length;
        if (available > unpackedBytes) throw new Refused('corrupt_image', 'more than all pixels');
        yield chunk;
      }
      const zeros = Buffer.alloc(65_536);
      for (let left = unpackedBytes - available; left > 0; left -= zeros.length) {
        yield zeros.subarray(0, left);
      }
    },
    createDeflate({ level: constants.Z_BEST_SPEED }),
    async (repacked: AsyncIterable<Buffer>) => {
      for await (const chunk of repacked) pieces.push(chunk);
    },
  );
  const file = Buffer.concat([before, chunk('IDAT', Buffer.concat(pieces)), endChunk]);
  return { file, missing: 1 - available / unpackedBytes };
}

function toRefused(error: NodeJS.ErrnoException): never {
  if (error.code?.startsWith('Z_')) throw new Refused('corrupt_image', error.message);
  throw error;
}

/** Whether the final chunk of a PNG is present, with or without garbage after it. */
async function hasEndChunk(path: string): Promise<boolean> {
  const tail = await readTail(path, endChunk.length);
  if (tail.equals(endChunk)) return true;
  const file = await readFile(path);
  const at = file.lastIndexOf(endHead);
  // Its checksum says nothing of the pixels.
  return at >= 0 && at + endChunk.length <= file.length;
}

/**
 * A PNG is unpacked up to where its data ends. In an interlaced one, whose last pass is every
 * second row, half of the data is half of the rows.
 */
export const png: Salvager = {
  isTruncated: async (path) => !(await hasEndChunk(path)),
  async salvage(path, open) {
    const parts = partsOf(await readFile(path));
    if (!parts) return undefined;
    const { soundChunks } = parts;
    const sound = { ...parts, packed: parts.packed.slice(0, soundChunks) };
    // Of two checksums that say the same, one that is right will do.
    const whole =
      soundChunks === undefined ? undefined : await repair(parts, true).catch(() => undefined);
    const repaired = whole?.missing === 0 ? whole : await repair(sound).catch(toRefused);
    const { file, missing } = repaired;
    const incomplete = missing > 0 || !(await hasEndChunk(path));
    return { ...(await open(file)), missing, incomplete };
  },
};
