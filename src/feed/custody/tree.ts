import { LRUCache } from 'lru-cache';
import { emptyRoot, leafHash, nodeHash, perfectRoot } from './crypto.js';
import { hashBytes, splitOf } from './merkle.js';

// The tree of a log in tiles, as c2sp.org/tlog-tiles cuts it: 256 hashes each, and bundles of 256 entries.

export const tileWidth = 256;
/** In place of a level: bundles of entries. */
export const bundles = -1;

export interface Tile {
  readonly level: number;
  readonly n: number;
  readonly data: Buffer;
}

type ReadTile = (level: number, n: number) => Promise<Buffer | undefined>;

/** An entry in a bundle, after its length. */
function framed(entry: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(entry.length);
  return Buffer.concat([length, entry]);
}

/** The entries of a bundle. @throws RangeError for one that ends early. */
export function entriesOf(bundle: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < bundle.length;) {
    const end = at + 2 + bundle.readUInt16BE(at);
    if (end > bundle.length) throw new RangeError('a bundle ends within an entry');
    found.push(bundle.subarray(at + 2, end));
    at = end;
  }
  return found;
}

/** The first entries or hashes of a tile; undefined if it has fewer. */
export function firstOf(level: number, data: Buffer, width: number): Buffer | undefined {
  if (level !== bundles) {
    return data.length < width * hashBytes ? undefined : data.subarray(0, width * hashBytes);
  }
  const entries = entriesOf(data);
  return entries.length < width ? undefined : Buffer.concat(entries.slice(0, width).map(framed));
}

/** Tiles that are kept while a tree is read. */
const keptTiles = 64;

export class Tree {
  readonly #kept = new LRUCache<string, Buffer>({ max: keptTiles });
  readonly #changed = new Map<string, Tile>();

  constructor(
    private readonly read: ReadTile,
    public size: number,
  ) {}

  /** Tiles that have grown. */
  get changed(): Tile[] {
    return [...this.#changed.values()];
  }

  /** @returns the hash of the new leaf. */
  async append(entry: Buffer): Promise<Buffer> {
    const hash = leafHash(entry);
    await this.#add(bundles, this.size, framed(entry));
    await this.#add(0, this.size, hash);
    this.size += 1;
    return hash;
  }

  async #add(level: number, index: number, bytes: Buffer): Promise<void> {
    const [n, place] = [Math.floor(index / tileWidth), index % tileWidth];
    const before = place === 0 ? Buffer.alloc(0) : await this.tile(level, n);
    if (level !== bundles && before.length !== place * hashBytes) throw damaged(level, n);
    const data = Buffer.concat([before, bytes]);
    this.#changed.set(`${level}/${n}`, { level, n, data });
    if (level !== bundles && place === tileWidth - 1)
      await this.#add(level + 1, n, perfectRoot(data));
  }

  /** @throws Error if it is missing. */
  async tile(level: number, n: number): Promise<Buffer> {
    const name = `${level}/${n}`;
    const known = this.#changed.get(name)?.data ?? this.#kept.get(name);
    if (known) return known;
    const data = await this.read(level, n);
    if (!data) throw damaged(level, n);
    this.#kept.set(name, data);
    return data;
  }

  /** The root at that size, which it has or has had. */
  root(size = this.size): Promise<Buffer> {
    return size === 0 ? Promise.resolve(emptyRoot) : this.#range(0, size);
  }

  /** What leads from a leaf to the root at that size, from below. */
  path(index: number, size = this.size): Promise<Buffer[]> {
    return this.#path(index, 0, size);
  }

  async #path(index: number, from: number, to: number): Promise<Buffer[]> {
    if (to - from === 1) return [];
    const middle = from + splitOf(to - from);
    return index < middle
      ? [...(await this.#path(index, from, middle)), await this.#range(middle, to)]
      : [...(await this.#path(index, middle, to)), await this.#range(from, middle)];
  }

  /** The root over these leaves, which are those below a node of the tree, or the rest of it. */
  async #range(from: number, to: number): Promise<Buffer> {
    const size = to - from;
    const half = size === 1 ? 0.5 : splitOf(size);
    if (size !== 2 * half) {
      return nodeHash(await this.#range(from, from + half), await this.#range(from + half, to));
    }
    const height = Math.log2(size);
    const level = Math.floor(height / 8);
    const span = 2 ** (height % 8);
    const first = (from / size) * span;
    const tile = await this.tile(level, Math.floor(first / tileWidth));
    const start = (first % tileWidth) * hashBytes;
    const hashes = tile.subarray(start, start + span * hashBytes);
    if (hashes.length !== span * hashBytes) throw damaged(level, Math.floor(first / tileWidth));
    return perfectRoot(hashes);
  }
}

/** A tile of the tree is not what its size needs. */
export class DamagedLog extends Error {
  override readonly name = 'DamagedLog';
}

const damaged = (level: number, n: number): DamagedLog =>
  new DamagedLog(`the tile ${n} of level ${level} is missing or too short`);
