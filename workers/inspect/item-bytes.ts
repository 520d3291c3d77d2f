import type { FileBytes } from './file-bytes.js';
import { tooComplex } from './structure.js';

/** A range of the file. */
export interface Extent {
  readonly offset: number;
  readonly length: number;
}

/** As many as libheif accepts. */
const maxExtents = 32;

/** The data of one item of a HEIF file: its extents, concatenated. */
export class ItemBytes {
  constructor(
    private readonly bytes: FileBytes,
    private readonly extents: readonly Extent[],
  ) {
    if (extents.length > maxExtents) throw tooComplex(`an item in ${extents.length} extents`);
  }

  get size(): number {
    return this.extents.reduce(
      (sum, { offset, length }) => sum + (length || Math.max(0, this.bytes.size - offset)),
      0,
    );
  }

  /** Like FileBytes.at. */
  at(offset: number, length: number): Buffer | undefined {
    const found: Buffer[] = [];
    let [from, left] = [offset, length];
    for (const extent of this.extents) {
      // A length of 0 means up to the end of the file.
      const size = extent.length || Math.max(0, this.bytes.size - extent.offset);
      if (from < size && left > 0) {
        const part = this.bytes.at(extent.offset + from, Math.min(left, size - from));
        if (part === undefined) return undefined;
        if (part.length === length) return part;
        found.push(part);
        left -= part.length;
      }
      from = Math.max(0, from - size);
    }
    return left > 0 ? undefined : Buffer.concat(found);
  }
}
