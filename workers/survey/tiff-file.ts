import { fieldType } from '../tiff-tags.js';
import type { FileBytes } from './file-bytes.js';

// Bytes of a value by type, of TIFF 6.0 and BigTIFF.
const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/** Where the two forms of TIFF differ. */
const classic = { start: 4, count: 2, entry: 12, offset: 4 } as const;
const big = { start: 8, count: 8, entry: 20, offset: 8 } as const;

/** What has more is no directory, libtiff finds as well. */
const maxEntries = 4_096;

export interface Directory {
  /** The first value of each tag whose value is a whole number; 0 when it lies behind the end. */
  first(tag: number): number | undefined;
  /** How many values the tag has. */
  count(tag: number): number;
  readonly entries: number;
  /** Bytes of all values that are kept outside of the directory and are there. */
  readonly valueBytes: number;
  /** 0 behind the last directory. */
  readonly next: number;
}

/** The directories of a TIFF file, in both byte orders and both sizes. */
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

  /** The directory at `offset`; undefined when it is broken or not all there. */
  directory(offset: number): Directory | undefined {
    const { count, entry, offset: width } = this.#form;
    const entries = this.#number(offset, count);
    if (entries === undefined || entries > maxEntries) return undefined;
    const start = offset + count;
    const table = this.bytes.at(start, entries * entry);
    if (table === undefined) return undefined;
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
    const first = (tag: number): number | undefined => {
      const value = found.get(tag);
      if (value === undefined || value.count === 0) return undefined;
      return (
        this.#number(value.at, value.type === fieldType.short ? 2 : (sizes[value.type] ?? 0)) ?? 0
      );
    };
    return { first, count: (tag) => found.get(tag)?.count ?? 0, entries, valueBytes, next };
  }

  #number(offset: number, length: number): number | undefined {
    const bytes = this.bytes.at(offset, length);
    return bytes && this.#in(bytes, 0, length);
  }

  /** Numbers of eight bytes lose precision where no file reaches. */
  #in(bytes: Buffer, at: number, length: number): number {
    if (length === 8) {
      return Number(this.#little ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
    }
    if (length === 0) return 0;
    return this.#little ? bytes.readUIntLE(at, length) : bytes.readUIntBE(at, length);
  }
}
