/**
 * The structure shared by TIFF files and EXIF blocks: directories of tagged values. Reads only the
 * requested tags and only values of bounded size, even if a hostile block claims more.
 */

import { closeSync, openSync, readSync } from 'node:fs';

/** Tag numbers of TIFF 6.0, and of ICC profiles in it. */
export const tiffTag = {
  imageWidth: 256,
  imageLength: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planarConfiguration: 284,
  tileWidth: 322,
  tileLength: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  subDirectories: 330,
  extraSamples: 338,
  sampleFormat: 339,
  subsampling: 530,
  xmp: 700,
  iptc: 33723,
  photoshop: 34377,
  iccProfile: 34675,
  dngVersion: 50706,
} as const;

/** Tag numbers of the EXIF standard (CIPA DC-008). */
export const exifTag = {
  make: 0x010f,
  model: 0x0110,
  orientation: 0x0112,
  exifDirectory: 0x8769,
  gpsDirectory: 0x8825,
  dateTimeOriginal: 0x9003,
  dateTimeDigitized: 0x9004,
  offsetTime: 0x9010,
  offsetTimeOriginal: 0x9011,
  offsetTimeDigitized: 0x9012,
  latitudeRef: 1,
  latitude: 2,
  longitudeRef: 3,
  longitude: 4,
  altitudeRef: 5,
  altitude: 6,
  gpsTime: 7,
  imgDirection: 17,
  gpsDate: 29,
  hPositioningError: 31,
} as const;

/** Types of the values of a directory entry. */
export const fieldType = { ascii: 2, short: 3, long: 4, undefined: 7, utf8: 129 } as const;

/** Random access to bytes; returns undefined if part of the range is missing. */
export type ReadAt = (offset: number, length: number) => Buffer | undefined;

export type TagValue = string | readonly number[];

interface Directories {
  /** The values of `wanted` in the directory at `offset`; broken and longer ones are omitted. */
  read(
    offset: number,
    wanted: readonly number[],
    maxValueBytes?: number,
  ): ReadonlyMap<number, TagValue>;
  readonly first: number;
}

const maxEntries = 512;
const usualMaxValueBytes = 64;

interface Numbers {
  u16(bytes: Buffer, at: number): number;
  u32(bytes: Buffer, at: number): number;
  i32(bytes: Buffer, at: number): number;
  /** Inexact above 2^53, but no file is that large. */
  u64(bytes: Buffer, at: number): number;
  f32(bytes: Buffer, at: number): number;
  f64(bytes: Buffer, at: number): number;
}

const littleEndian: Numbers = {
  u16: (bytes, at) => bytes.readUInt16LE(at),
  u32: (bytes, at) => bytes.readUInt32LE(at),
  i32: (bytes, at) => bytes.readInt32LE(at),
  u64: (bytes, at) => Number(bytes.readBigUInt64LE(at)),
  f32: (bytes, at) => bytes.readFloatLE(at),
  f64: (bytes, at) => bytes.readDoubleLE(at),
};
const bigEndian: Numbers = {
  u16: (bytes, at) => bytes.readUInt16BE(at),
  u32: (bytes, at) => bytes.readUInt32BE(at),
  i32: (bytes, at) => bytes.readInt32BE(at),
  u64: (bytes, at) => Number(bytes.readBigUInt64BE(at)),
  f32: (bytes, at) => bytes.readFloatBE(at),
  f64: (bytes, at) => bytes.readDoubleBE(at),
};

/** Numeric types by their codes: size of a value in bytes, and how to read it. */
const numeric = new Map<number, [size: number, get: (n: Numbers, b: Buffer, at: number) => number]>(
  [
    [1 /* BYTE */, [1, (_, b, at) => b.readUInt8(at)]],
    [3 /* SHORT */, [2, (n, b, at) => n.u16(b, at)]],
    [4 /* LONG */, [4, (n, b, at) => n.u32(b, at)]],
    [5 /* RATIONAL */, [8, (n, b, at) => n.u32(b, at) / n.u32(b, at + 4)]],
    [6 /* SBYTE */, [1, (_, b, at) => b.readInt8(at)]],
    [7 /* UNDEFINED */, [1, (_, b, at) => b.readUInt8(at)]],
    [8 /* SSHORT */, [2, (n, b, at) => (n.u16(b, at) << 16) >> 16]],
    [9 /* SLONG */, [4, (n, b, at) => n.i32(b, at)]],
    [10 /* SRATIONAL */, [8, (n, b, at) => n.i32(b, at) / n.i32(b, at + 4)]],
    [11 /* FLOAT */, [4, (n, b, at) => n.f32(b, at)]],
    [12 /* DOUBLE */, [8, (n, b, at) => n.f64(b, at)]],
    [13 /* IFD */, [4, (n, b, at) => n.u32(b, at)]],
    [16 /* LONG8 */, [8, (n, b, at) => n.u64(b, at)]],
    [18 /* IFD8 */, [8, (n, b, at) => n.u64(b, at)]],
  ],
);

/** Field sizes in which classic TIFF and BigTIFF differ. */
interface Layout {
  readonly countBytes: number;
  readonly entryBytes: number;
  /** Size of an entry's count and of its value or offset. */
  readonly wordBytes: number;
  readonly firstAt: number;
  word(numbers: Numbers, bytes: Buffer, at: number): number;
  entries(numbers: Numbers, bytes: Buffer): number;
}

const classic: Layout = {
  countBytes: 2,
  entryBytes: 12,
  wordBytes: 4,
  firstAt: 4,
  word: (numbers, bytes, at) => numbers.u32(bytes, at),
  entries: (numbers, bytes) => numbers.u16(bytes, 0),
};
const bigTiff: Layout = {
  countBytes: 8,
  entryBytes: 20,
  wordBytes: 8,
  firstAt: 8,
  word: (numbers, bytes, at) => numbers.u64(bytes, at),
  entries: (numbers, bytes) => numbers.u64(bytes, 0),
};

const formats = new Map<string, [Numbers, Layout]>([
  ['II*\0', [littleEndian, classic]],
  ['MM\0*', [bigEndian, classic]],
  ['II+\0', [littleEndian, bigTiff]],
  ['MM\0+', [bigEndian, bigTiff]],
]);

/** @returns undefined if there is no TIFF header at offset 0. */
export function openDirectories(readAt: ReadAt): Directories | undefined {
  const format = formats.get(readAt(0, 4)?.toString('latin1') ?? '');
  if (!format) return undefined;
  const [numbers, layout] = format;
  const { countBytes, entryBytes, wordBytes } = layout;
  const first = readAt(layout.firstAt, wordBytes);
  if (!first) return undefined;

  function value(entry: Buffer, maxBytes: number): TagValue | undefined {
    const type = numbers.u16(entry, 2);
    const count = layout.word(numbers, entry, 4);
    const isText = type === fieldType.ascii || type === fieldType.utf8;
    const [size, get] = numeric.get(type) ?? [isText ? 1 : NaN];
    // Of a longer text, the beginning is meant: some writers count what follows its end.
    const length = isText ? Math.min(count, maxBytes) : size * count;
    // False for NaN too: an unsupported type.
    if (!(length <= maxBytes)) return undefined;
    const at = 4 + wordBytes;
    const bytes =
      length <= wordBytes
        ? entry.subarray(at, at + length)
        : readAt(layout.word(numbers, entry, at), length);
    if (!get) return bytes?.toString('latin1').replace(/\0.*$/s, '');
    return bytes && Array.from({ length: count }, (_, i) => get(numbers, bytes, i * size));
  }

  function read(
    offset: number,
    wanted: readonly number[],
    maxValueBytes = usualMaxValueBytes,
  ): ReadonlyMap<number, TagValue> {
    const found = new Map<number, TagValue>();
    const counter = readAt(offset, countBytes);
    const entries = counter ? Math.min(layout.entries(numbers, counter), maxEntries) : 0;
    for (let i = 0; i < entries; i++) {
      const entry = readAt(offset + countBytes + i * entryBytes, entryBytes);
      if (entry === undefined) break;
      const tag = numbers.u16(entry, 0);
      // Of a tag that is repeated the first counts: reading each would multiply what it costs.
      const isNew = wanted.includes(tag) && !found.has(tag);
      const read = isNew ? value(entry, maxValueBytes) : undefined;
      if (read !== undefined) found.set(tag, read);
    }
    return found;
  }

  return { read, first: layout.word(numbers, first, 0) };
}

/** Passes the bytes of a file to `use` and closes the file afterward. */
export function withFile<T>(path: string, use: (readAt: ReadAt) => T): T {
  const file = openSync(path, 'r');
  try {
    return use((offset, length) => {
      if (!Number.isSafeInteger(offset) || offset < 0) return undefined;
      const buffer = Buffer.alloc(length);
      return readSync(file, buffer, 0, length, offset) === length ? buffer : undefined;
    });
  } finally {
    closeSync(file);
  }
}
