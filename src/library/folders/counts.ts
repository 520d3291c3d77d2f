import { PackedIds } from '../../database/bulk.js';
import type { Queryable } from '../../database/sql.js';
import { coverImages, type FolderSums, selectFolderSums } from './folders.sql.js';

// What is in each folder of a tree and below it. Trees may have a hundred thousand folders, so the sums of each
// are 120 bytes in arrays of numbers.

const idBytes = 16;
/** Folders whose sums are read at a time. */
const atOnce = 500;

/** What a folder contains, and the folders below it, outside the trash. */
export interface FolderCounts {
  readonly own: number;
  readonly below: number;
  /** Of the first and last picture, those below included. */
  readonly first: Date | null;
  readonly last: Date | null;
  /** Ids of the newest pictures, newest first, those below included. */
  readonly covers: readonly string[];
}

/** Sums of the folders of a tree, by their places in its order. */
export class TreeCounts {
  readonly #own: Uint32Array;
  readonly #below: Uint32Array;
  readonly #first: Float64Array;
  readonly #last: Float64Array;
  readonly #covers: Buffer;
  readonly #times: Float64Array;

  private constructor(folders: number) {
    this.#own = new Uint32Array(folders);
    this.#below = new Uint32Array(folders);
    this.#first = new Float64Array(folders).fill(Infinity);
    this.#last = new Float64Array(folders).fill(-Infinity);
    this.#covers = Buffer.alloc(folders * coverImages * idBytes);
    this.#times = new Float64Array(folders * coverImages).fill(-Infinity);
  }

  /** @param levels as `selectTreeOrder` returns them. */
  static async of(
    db: Queryable,
    userId: string,
    { ids, levels }: { readonly ids: PackedIds; readonly levels: Buffer },
  ): Promise<TreeCounts> {
    const counts = new TreeCounts(ids.length);
    let start = 0;
    for (const slice of ids.slices(atOnce)) {
      const found = await selectFolderSums(db, userId, slice);
      const sums = new Map(found.map((one) => [one.id, one]));
      slice.forEach((id, i) => counts.#enter(start + i, sums.get(id)));
      start += slice.length;
    }
    counts.#addUp(levels);
    return counts;
  }

  at(n: number): FolderCounts {
    const [first = Infinity, last = -Infinity] = [this.#first[n], this.#last[n]];
    const from = n * coverImages;
    const covers = this.#times.subarray(from, from + coverImages).filter(Number.isFinite).length;
    const packed = this.#covers.subarray(from * idBytes, (from + covers) * idBytes);
    return {
      own: this.#own[n] ?? 0,
      below: this.#below[n] ?? 0,
      first: Number.isFinite(first) ? new Date(first) : null,
      last: Number.isFinite(last) ? new Date(last) : null,
      covers: [...new PackedIds(packed).slices(coverImages)].flat(),
    };
  }

  #enter(n: number, sums: FolderSums | undefined): void {
    if (!sums) return;
    this.#own[n] = sums.images;
    this.#below[n] = sums.images;
    this.#first[n] = sums.first ?? Infinity;
    this.#last[n] = sums.last ?? -Infinity;
    this.#times.set(sums.times ?? [], n * coverImages);
    sums.covers?.copy(this.#covers, n * coverImages * idBytes);
  }

  /** Adds each folder to the one it is in, the last first: those below a folder follow it. */
  #addUp(levels: Buffer): void {
    const parents = new Int32Array(this.#own.length).fill(-1);
    const path: number[] = [];
    for (let n = 0; n < parents.length; n += 1) {
      const level = levels.readInt16BE(2 * n);
      parents[n] = level > 1 ? (path[level - 2] ?? -1) : -1;
      path[level - 1] = n;
    }
    for (let n = parents.length - 1; n >= 0; n -= 1) {
      const parent = parents[n] ?? -1;
      if (parent >= 0) this.#add(n, parent);
    }
  }

  #add(n: number, parent: number): void {
    this.#below[parent] = (this.#below[parent] ?? 0) + (this.#below[n] ?? 0);
    this.#first[parent] = Math.min(this.#first[parent] ?? Infinity, this.#first[n] ?? Infinity);
    this.#last[parent] = Math.max(this.#last[parent] ?? -Infinity, this.#last[n] ?? -Infinity);
    const places = [n, parent].flatMap((of) =>
      Array.from({ length: coverImages }, (_, i) => of * coverImages + i),
    );
    const newest = places
      .map((place) => ({ time: this.#times[place] ?? -Infinity, id: this.#idAt(place) }))
      .sort((a, b) => b.time - a.time || Buffer.compare(b.id, a.id))
      .slice(0, coverImages);
    for (const [i, { time, id }] of newest.entries()) {
      const place = parent * coverImages + i;
      this.#times[place] = time;
      id.copy(this.#covers, place * idBytes);
    }
  }

  /** A copy, since places are written while they are compared. */
  #idAt(place: number): Buffer {
    return Buffer.from(this.#covers.subarray(place * idBytes, (place + 1) * idBytes));
  }
}
