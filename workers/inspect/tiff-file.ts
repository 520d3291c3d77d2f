import { fieldType } from '../../src/imaging/tiff-directory.js';
import type { FileBytes } from '../source.js';

// Size of a value in bytes by type, in TIFF 6.0 and BigTIFF.
const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/** The differences between the two forms of TIFF. */
const classic = { start: 4, count: 2, entry: 12, offset: 4 } as const;
const big = { start: 8, count: 8, entry: 20, offset: 8 } as const;

/** A directory with more entries is invalid, as in libtiff. */
const maxEntries = 4_096;

export interface Directory {
  /** The first value of each whole-number tag; 0 if it is past the end of the file. */
  first(tag: number): number | undefined;
  /** One of the values of such a tag. */
  nth(tag: number, index: number): number | undefined;
  /** The number of values of the tag. */
  count(tag: number): number;
  /** The value of the tag as it stands in the file; undefined if it is missing or longer. */
  bytesOf(tag: number, maxBytes: number): Buffer | undefined;
  readonly entries: number;
  /** Total bytes of values stored outside the directory and present in the file. */
  readonly valueBytes: number;
  /** 0 after the last directory. */
  readonly next: number;
}

/** The directories of a TIFF file, in both byte orders and both forms. */
export class TiffFile {
  readonly #little: boolean;
  readonly #form: typeof classic | typeof big;

  constructor(private readonly bytes: FileBytes) {
    const mark = bytes.at(0, 4);
    this.#little = mark?.[0] === 0x49;
    this.#form = mark?.[this.#little ? 2 : 3] === 43 ? big : classic;
  }

  get first(): number {
    return this.#number(this.#form.start, this.#form.offset) ?? 0;
  }

  /** The directory at `offset`; undefined if it is broken or incomplete. */
  directory(offset: number): Directory | undefined {
    const { count, entry, offset: width } = this.#form;
    const entries = this.#number(offset, count);
    if (entries === undefined || entries > maxEntries) return undefined;
    const start = offset + count;
    const table = this.bytes.at(start, entries * entry);
    if (table === undefined) return undefined;
    this.bytes.spend(2 * entries);
    const found = new Map<number, { type: number; count: number; at: number }>();
    let valueBytes = 0;
    for (let at = 0; at < table.length; at += entry) {
      const type = this.#in(table, at + 2, 2);
      const values = this.#in(table, at + 4, width);
      const length = (sizes[type] ?? 0) * values;
      const place = at + 4 + width;
      const away = length > width ? this.#in(table, place, width) : undefined;
      if (away !== undefined && away + length <= this.bytes.size) valueBytes += length;
      found.set(this.#in(table, at, 2), { type, count: values, at: away ?? start + place });
    }
    const next = this.#number(start + entries * entry, width) ?? 0;
    const nth = (tag: number, index: number): number | undefined => {
      const value = found.get(tag);
      if (value === undefined || index >= value.count) return undefined;
      const size = value.type === fieldType.short ? 2 : (sizes[value.type] ?? 0);
      return this.#number(value.at + index * size, size) ?? 0;
    };
    const first = (tag: number): number | undefined => nth(tag, 0);
    const bytesOf = (tag: number, maxBytes: number): Buffer | undefined => {
      const value = found.get(tag);
      const length = value && (sizes[value.type] ?? 0) * value.count;
      return length && length <= maxBytes ? this.bytes.at(value.at, length) : undefined;
    };
    return {
      first,
      nth,
      bytesOf,
      count: (tag) => found.get(tag)?.count ?? 0,
      entries,
      valueBytes,
      next,
    };
  }

  #number(offset: number, length: number): number | undefined {
    const bytes = this.bytes.at(offset, length);
    return bytes && this.#in(bytes, 0, length);
  }

  /** Eight-byte numbers lose precision only beyond any file's size. */
  #in(bytes: Buffer, at: number, length: number): number {
    if (length === 8) {
      return Number(this.#little ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
    }
    if (length === 0) return 0;
    return this.#little ? bytes.readUIntLE(at, length) : bytes.readUIntBE(at, length);
  }
}
