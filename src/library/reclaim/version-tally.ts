import type { Queryable } from '../../database/sql.js';
import { selectSliceTallies, sliceCount } from './version.sql.js';

const hex = (digits: string): number => Number.parseInt(digits, 16);

/**
 * A set of versions in 2 MB, regardless of their number: enough to locate differences from the
 * rows. Ids begin with a time, which divides them into slices of 17 minutes; for each slice, the
 * exclusive or of the random digits of its ids is kept, 60 bits. Slices are reused after nine
 * years.
 */
export class VersionTally {
  readonly #high = new Int32Array(sliceCount);
  readonly #low = new Int32Array(sliceCount);

  /** Adds a version. Adding it once more removes it. */
  add(id: string): void {
    this.#combine(
      hex(id.slice(0, 7)) & (sliceCount - 1),
      hex(id.slice(19, 23) + id.slice(24, 28)),
      hex(id.slice(28)),
    );
  }

  /** The slices whose versions differ from the rows. The set cannot be used afterward. */
  async compare(db: Queryable): Promise<{ rows: number; differing: number[] }> {
    let rows = 0;
    for (const { slice, versions, high, low } of await selectSliceTallies(db)) {
      this.#combine(slice, high, low);
      rows += versions;
    }
    const slices = Array.from(this.#high.keys());
    return {
      rows,
      differing: slices.filter((i) => this.#high[i] !== 0 || this.#low[i] !== 0),
    };
  }

  #combine(slice: number, high: number, low: number): void {
    this.#high[slice] = (this.#high[slice] ?? 0) ^ high;
    this.#low[slice] = (this.#low[slice] ?? 0) ^ low;
  }
}
