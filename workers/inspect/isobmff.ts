/** ISO base media files, which HEIC and AVIF are: boxes, the items of a HEIF file, and their data. */
import type { Size } from '../../src/imaging/ffmpeg.js';
import type { FileBytes } from '../source.js';
import { corrupt, counter, tooComplex } from './structure.js';

/** A box of an ISO base media file: where it begins, and where its content begins and ends. */
export interface Box {
  readonly type: string;
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

const shortHeadBytes = 8;
const longHeadBytes = 16;
const versionBytes = 4;

/** The boxes between two offsets, up to the first broken one. */
export function boxesIn(bytes: FileBytes, from: number, to: number): Box[] {
  const found: Box[] = [];
  const countBox = counter('boxes');
  for (let at = from; at + shortHeadBytes <= to;) {
    const head = bytes.at(at, shortHeadBytes);
    if (head === undefined) break;
    countBox();
    const type = head.toString('latin1', 4);
    const declared = head.readUInt32BE(0);
    // 0: to the end; 1: the size follows in eight bytes.
    const long = declared === 1 ? bytes.at(at + shortHeadBytes, 8) : undefined;
    const size = long ? Number(long.readBigUInt64BE(0)) : declared === 0 ? to - at : declared;
    const headBytes = long ? longHeadBytes : shortHeadBytes;
    if (size < headBytes) break;
    found.push({ type, at, start: at + headBytes, end: Math.min(at + size, to) });
    at += size;
  }
  return found;
}

/** Reads the numbers of a box in order; anything past its end reads as 0. */
export class BoxReader {
  #at = 0;
  readonly version: number;
  readonly flags: number;
  readonly #content: Buffer;

  /** The version and flags that most boxes begin with are read at once. */
  constructor(
    private readonly bytes: FileBytes,
    box: Box,
  ) {
    this.#content = bytes.at(box.start, box.end - box.start) ?? Buffer.alloc(0);
    this.version = this.number(1);
    this.flags = this.number(versionBytes - 1);
  }

  /** False if nothing is left to read. */
  get more(): boolean {
    return this.#at < this.#content.length;
  }

  /**
   * @param length 1 to 4 bytes, or 8, of which only what a number can hold; other lengths read as
   *   0.
   */
  number(length: number): number {
    this.bytes.spend();
    const at = this.#at;
    this.#at += length;
    if (this.#at > this.#content.length) return 0;
    if (length === 8) return Number(this.#content.readBigUInt64BE(at));
    return length > 0 && length <= 4 ? this.#content.readUIntBE(at, length) : 0;
  }

  skip(length: number): void {
    this.#at += length;
  }

  text(length: number): string {
    this.#at += length;
    return this.#content.toString('latin1', this.#at - length, this.#at);
  }
}

export interface HeifItem {
  type: string;
  /** In the order in which they apply. */
  readonly properties: Box[];
  readonly extents: Extent[];
  /** The items it is made of. */
  derivedFrom: readonly number[];
  /** The items that it says something of, such as EXIF of a picture. */
  readonly describes: number[];
}

/** Numbers of ITU-T H.273 that say how samples become colors; 2 is unspecified. */
interface ColourCodes {
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
  readonly fullRange: boolean;
}

const nclxBytes = 11;
const fullRangeBit = 0x80;

/** Those in a `colr` box; undefined in other boxes, and in one with a profile. */
export function colourCodesIn(bytes: FileBytes, { type, start }: Box): ColourCodes | undefined {
  const colr = type === 'colr' ? bytes.at(start, nclxBytes) : undefined;
  if (colr?.toString('latin1', 0, 4) !== 'nclx') return undefined;
  return {
    primaries: colr.readUInt16BE(4),
    transfer: colr.readUInt16BE(6),
    matrix: colr.readUInt16BE(8),
    fullRange: ((colr[10] ?? 0) & fullRangeBit) !== 0,
  };
}

export const propertyOf = ({ properties }: HeifItem, wanted: string): Box | undefined =>
  properties.find(({ type }) => type === wanted);

/** The size that is stated of an item; 0 if there is none. */
export function sizeOf(bytes: FileBytes, item: HeifItem): Size {
  bytes.spend(1 + item.properties.length / 8);
  const box = propertyOf(item, 'ispe');
  const size = box && bytes.at(box.start + 4, 8);
  return { width: size?.readUInt32BE(0) ?? 0, height: size?.readUInt32BE(4) ?? 0 };
}

/** Where the data of a derived item has the size of its canvas. */
const canvases = new Map([
  ['grid', 4],
  ['iovl', 10],
]);

/** What a derived item is composed on; of a grid, also its columns and rows. */
export function canvasOf(bytes: FileBytes, { type, extents }: HeifItem) {
  const at = canvases.get(type);
  if (at === undefined) return undefined;
  const data = new ItemBytes(bytes, extents);
  const length = (data.at(1, 1)?.[0] ?? 0) & 1 ? 4 : 2;
  const head = data.at(0, at + 2 * length);
  return (
    head && {
      columns: (head[3] ?? 0) + 1,
      rows: (head[2] ?? 0) + 1,
      width: head.readUIntBE(at, length),
      height: head.readUIntBE(at + length, length),
    }
  );
}

/** Phones write up to a dozen. */
const maxProperties = 64;

/** The item table of a file; undefined if it has none. */
export function heifItems(bytes: FileBytes): HeifItems | undefined {
  const meta = boxesIn(bytes, 0, bytes.size).find(({ type }) => type === 'meta');
  return meta && new HeifItems(bytes, meta);
}

/** The item table of a HEIF file. */
export class HeifItems {
  readonly #items = new Map<number, HeifItem>();
  readonly #auxiliaries = new Map<number, Set<number>>();
  readonly #premultiplied = new Set<number>();
  readonly #countReference = counter('references between items', 65_536);
  readonly primary: number;
  /** Those of all items. */
  readonly properties: readonly Box[];

  constructor(
    private readonly bytes: FileBytes,
    meta: Box,
  ) {
    const children = boxesIn(bytes, meta.start + 4, meta.end);
    const box = (type: string): Box | undefined => children.find((child) => child.type === type);
    const read = (type: string, reader: (r: BoxReader, box: Box) => void): void => {
      const found = box(type);
      if (found) reader(new BoxReader(bytes, found), found);
    };
    let primary = 0;
    read('pitm', (r) => (primary = r.number(r.version === 0 ? 2 : 4)));
    this.primary = primary;
    const infos = box('iinf');
    if (infos) this.#readTypes(infos);
    read('iloc', (r) => this.#readPlaces(r, box('idat')));
    const references = box('iref');
    if (references) this.#readReferences(references);
    const properties = box('iprp');
    this.properties = properties ? this.#readProperties(properties) : [];
  }

  get(id: number): HeifItem | undefined {
    return this.#items.get(id);
  }

  /** Whether the colors of an item come multiplied with its alpha. */
  isPremultiplied(id: number): boolean {
    return this.#premultiplied.has(id);
  }

  /** The items of a type, in the order of the table. */
  ofType(type: string): HeifItem[] {
    return [...this.#items.values()].filter((item) => item.type === type);
  }

  /** Ids of an item's auxiliary images: its alpha plane, but also depth maps and more. */
  auxiliariesOf(id: number): readonly number[] {
    return [...(this.#auxiliaries.get(id) ?? [])];
  }

  #readTypes(infos: Box): void {
    const { version } = new BoxReader(this.bytes, { ...infos, end: infos.start + 4 });
    const start = infos.start + 4 + (version === 0 ? 2 : 4);
    for (const info of boxesIn(this.bytes, start, infos.end)) {
      const r = new BoxReader(this.bytes, { ...info, end: Math.min(info.end, info.start + 16) });
      if (info.type !== 'infe' || r.version < 2) continue;
      const id = r.number(r.version === 2 ? 2 : 4);
      r.skip(2);
      this.#items.set(id, {
        type: r.text(4),
        properties: [],
        extents: [],
        derivedFrom: [],
        describes: [],
      });
    }
  }

  #readPlaces(r: BoxReader, data: Box | undefined): void {
    const widths = r.number(2);
    const [offsetBytes, lengthBytes, baseBytes] = [widths >> 12, (widths >> 8) & 15, (widths >> 4) & 15]; // prettier-ignore
    const indexBytes = r.version === 0 ? 0 : widths & 15;
    const count = r.number(r.version < 2 ? 2 : 4);
    for (let i = 0; i < count && r.more; i++) {
      const item = this.#items.get(r.number(r.version < 2 ? 2 : 4));
      // 0: the file; 1: the data box of the table.
      const method = r.version === 0 ? 0 : r.number(2) & 15;
      r.skip(2);
      const base = r.number(baseBytes) + (method === 1 ? (data?.start ?? 0) : 0);
      const extents = r.number(2);
      // Several parts that are not told apart: each would cost something without a byte of the file.
      if (extents > 1 && indexBytes + offsetBytes + lengthBytes === 0) throw corrupt('HEIF places');
      for (let j = 0; j < extents && r.more; j++) {
        r.skip(indexBytes);
        const offset = base + r.number(offsetBytes);
        const length = r.number(lengthBytes);
        if (method < 2) item?.extents.push({ offset, length });
      }
    }
  }

  #readReferences(references: Box): void {
    const { version } = new BoxReader(this.bytes, { ...references, end: references.start + 4 });
    const idBytes = version === 0 ? 2 : 4;
    for (const reference of boxesIn(this.bytes, references.start + 4, references.end)) {
      // These have no version field, so one is prepended.
      const r = new BoxReader(this.bytes, { ...reference, start: reference.start - 4 });
      const from = r.number(idBytes);
      const ids: number[] = [];
      for (let left = r.number(2); left > 0 && r.more; left--) {
        this.#countReference();
        ids.push(r.number(idBytes));
      }
      const item = this.#items.get(from);
      if (item && reference.type === 'dimg') item.derivedFrom = ids;
      if (item && reference.type === 'cdsc') for (const id of ids) item.describes.push(id);
      if (reference.type === 'prem') this.#premultiplied.add(from);
      if (reference.type !== 'auxl') continue;
      for (const id of ids) {
        const known = this.#auxiliaries.get(id) ?? new Set();
        this.#auxiliaries.set(id, known.add(from));
      }
    }
  }

  #readProperties(properties: Box): readonly Box[] {
    const children = boxesIn(this.bytes, properties.start, properties.end);
    const container = children.find(({ type }) => type === 'ipco');
    const all = container ? boxesIn(this.bytes, container.start, container.end) : [];
    for (const association of children.filter(({ type }) => type === 'ipma')) {
      const r = new BoxReader(this.bytes, association);
      const count = r.number(4);
      for (let i = 0; i < count && r.more; i++) {
        const item = this.#items.get(r.number(r.version === 0 ? 2 : 4));
        for (let left = r.number(1); left > 0; left--) {
          const index = r.flags & 1 ? r.number(2) & 0x7fff : r.number(1) & 0x7f;
          const property = all[index - 1];
          if (!item || !property) continue;
          item.properties.push(property);
          if (item.properties.length > maxProperties) throw tooComplex('HEIF properties');
        }
      }
    }
    return all;
  }
}

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
      this.bytes.spend();
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
