/**
 * The structure that TIFF files and EXIF blocks share: directories of tagged values. Reads only the
 * tags asked for and only small values, whatever a hostile block claims about its size.
 */

/** Random access to bytes; answers undefined where the range is not fully there. */
export type ReadAt = (offset: number, length: number) => Buffer | undefined;

export type TagValue = string | readonly number[];

export interface Directories {
  /** The values of `wanted` in the directory at `offset`; broken ones are left out. */
  read(offset: number, wanted: readonly number[]): Map<number, TagValue>;
  readonly first: number;
}

const MAX_ENTRIES = 512;
const MAX_VALUE_BYTES = 64;
const ENTRY_BYTES = 12;

const ASCII = 2;
const LONG = 4;
const RATIONAL = 5;
const SHORT = 3;
const sizes: Record<number, number> = { [ASCII]: 1, [SHORT]: 2, [LONG]: 4, [RATIONAL]: 8 };

function order(header: Buffer): 'LE' | 'BE' | undefined {
  const mark = header.toString('latin1', 0, 4);
  if (mark === 'II*\0') return 'LE';
  return mark === 'MM\0*' ? 'BE' : undefined;
}

/** @returns undefined when there is no TIFF header at offset 0. */
export function openDirectories(readAt: ReadAt): Directories | undefined {
  const header = readAt(0, 8);
  const endian = header && order(header);
  if (endian === undefined) return undefined;
  const u16 = (b: Buffer, at: number): number =>
    endian === 'LE' ? b.readUInt16LE(at) : b.readUInt16BE(at);
  const u32 = (b: Buffer, at: number): number =>
    endian === 'LE' ? b.readUInt32LE(at) : b.readUInt32BE(at);

  function value(entry: Buffer): TagValue | undefined {
    const type = u16(entry, 2);
    const count = u32(entry, 4);
    const size = sizes[type];
    if (size === undefined || size * count > MAX_VALUE_BYTES) return undefined;
    const length = size * count;
    const bytes = length <= 4 ? entry.subarray(8, 8 + length) : readAt(u32(entry, 8), length);
    if (bytes === undefined) return undefined;
    if (type === ASCII) return bytes.toString('latin1').replace(/\0.*$/s, '');
    return Array.from({ length: count }, (_, i) => {
      if (type === SHORT) return u16(bytes, i * 2);
      if (type === LONG) return u32(bytes, i * 4);
      return u32(bytes, i * 8) / u32(bytes, i * 8 + 4);
    });
  }

  function read(offset: number, wanted: readonly number[]): Map<number, TagValue> {
    const found = new Map<number, TagValue>();
    const counter = readAt(offset, 2);
    const entries = counter ? Math.min(u16(counter, 0), MAX_ENTRIES) : 0;
    for (let i = 0; i < entries; i++) {
      const entry = readAt(offset + 2 + i * ENTRY_BYTES, ENTRY_BYTES);
      if (entry === undefined) break;
      const tag = u16(entry, 0);
      const read = wanted.includes(tag) ? value(entry) : undefined;
      if (read !== undefined) found.set(tag, read);
    }
    return found;
  }

  return { read, first: u32(header as Buffer, 4) };
}
