/**
 * The structure shared by TIFF files and EXIF blocks: directories of tagged values. A value is read
 * when it is asked for, and only if its size is bounded, even if a hostile file claims more.
 */

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

/** A file, or a block within one, and the budget of whoever reads it. */
export interface TiffBytes {
  readonly size: number;
  /** Undefined if part of the range is missing. */
  at(offset: number, length: number): Buffer | undefined;
  spend(steps: number): void;
}

export type TagValue = string | readonly number[];

type Get = (view: DataView, at: number, little: boolean) => number;
/** The size of a value in bytes, and how to read it. */
type Kind = readonly [size: number, get: Get];

const none: Kind = [0, () => 0];
const byte: Kind = [1, (view, at) => view.getUint8(at)];
const short: Kind = [2, (view, at, little) => view.getUint16(at, little)];
const long: Kind = [4, (view, at, little) => view.getUint32(at, little)];
const signed: Kind = [4, (view, at, little) => view.getInt32(at, little)];
/** Inexact above 2^53, but no file is that large. */
const long8: Kind = [8, (view, at, little) => Number(view.getBigUint64(at, little))];
const ratioOf = ([size, get]: Kind): Kind => [
  2 * size,
  (view, at, little) => get(view, at, little) / get(view, at + size, little),
];

/** By the numbers of their types, in TIFF 6.0 and BigTIFF. */
const kinds: readonly Kind[] = [
  none,
  byte,
  byte, // ASCII
  short,
  long,
  ratioOf(long),
  [1, (view, at) => view.getInt8(at)],
  byte, // UNDEFINED
  [2, (view, at, little) => view.getInt16(at, little)],
  signed,
  ratioOf(signed),
  [4, (view, at, little) => view.getFloat32(at, little)],
  [8, (view, at, little) => view.getFloat64(at, little)],
  long, // IFD
  none,
  none,
  long8,
  [8, (view, at, little) => Number(view.getBigInt64(at, little))],
  long8, // IFD8
];

const isText = (type: number): boolean => type === fieldType.ascii || type === fieldType.utf8;
const kindOf = (type: number): Kind => (isText(type) ? byte : (kinds[type] ?? none));

/** The kinds of the numbers in which classic TIFF and BigTIFF differ, and where the first offset is. */
const classic = { start: 4, count: short, word: long } as const;
const big = { start: 8, count: long8, word: long8 } as const;

/** libtiff takes a directory with more for invalid. */
const maxEntries = 4_096;
const usualMaxBytes = 256;

export interface Directory {
  /** One of the values of a tag; 0 if it is no whole number, or past the end of the file. */
  nth(tag: number, index: number): number | undefined;
  first(tag: number): number | undefined;
  count(tag: number): number;
  /** What a tag says; undefined if it is broken or longer, but of a longer text the beginning. */
  value(tag: number, maxBytes?: number): TagValue | undefined;
  /** The value of a tag as it stands in the file; undefined if it is missing or longer. */
  bytesOf(tag: number, maxBytes: number): Buffer | undefined;
  readonly entries: number;
  /** Whether all entries are there, and no more than decoders accept. */
  readonly isWhole: boolean;
  /** Total bytes of values stored outside the directory and present in the file. */
  readonly valueBytes: number;
  /** 0 after the last directory. */
  readonly next: number;
}

interface Field {
  readonly type: number;
  readonly count: number;
  readonly at: number;
}

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView =>
  new DataView(buffer, byteOffset, length);

/** The directories of a TIFF file or EXIF block, in both byte orders and both forms. */
export class TiffFile {
  readonly #little: boolean;
  readonly #form: typeof classic | typeof big;

  constructor(private readonly bytes: TiffBytes) {
    const mark = bytes.at(0, 4);
    this.#little = mark?.[0] === 0x49;
    this.#form = mark?.[this.#little ? 2 : 3] === 43 ? big : classic;
  }

  get first(): number {
    return this.#number(this.#form.start, this.#form.word) ?? 0;
  }

  /** The directory at `offset`, as far as it goes. */
  directory(offset: number): Directory | undefined {
    const { count, word } = this.#form;
    const [start, width] = [offset + count[0], word[0]];
    const [countAt, valueAt, entryBytes] = [4, 4 + width, 4 + 2 * width];
    const entries = this.#number(offset, count);
    if (entries === undefined) return undefined;
    const available = Math.max(0, Math.floor((this.bytes.size - start) / entryBytes));
    const read = Math.min(entries, maxEntries, available);
    const table = this.bytes.at(start, read * entryBytes);
    if (table === undefined) return undefined;
    this.bytes.spend(2 * read);
    const view = viewOf(table);
    const number = ([, get]: Kind, at: number): number => get(view, at, this.#little);
    const found = new Map<number, Field>();
    let valueBytes = 0;
    for (let at = 0; at < table.length; at += entryBytes) {
      const [tag, type, values] = [number(short, at), number(short, at + 2), number(word, at + countAt)]; // prettier-ignore
      const length = kindOf(type)[0] * values;
      const away = length > width ? number(word, at + valueAt) : undefined;
      if (away !== undefined && away + length <= this.bytes.size) valueBytes += length;
      // Of a tag that is repeated the first counts, as in libtiff.
      if (!found.has(tag))
        found.set(tag, { type, count: values, at: away ?? start + at + valueAt });
    }
    const nth = (tag: number, index: number): number | undefined => {
      const field = found.get(tag);
      if (field === undefined || index >= field.count) return undefined;
      const kind = kindOf(field.type);
      const value = this.#number(field.at + index * kind[0], kind) ?? 0;
      return Number.isInteger(value) && value >= 0 ? value : 0;
    };
    return {
      nth,
      first: (tag) => nth(tag, 0),
      count: (tag) => found.get(tag)?.count ?? 0,
      value: (tag, maxBytes = usualMaxBytes) => this.#value(found.get(tag), maxBytes),
      bytesOf: (tag, maxBytes) => {
        const field = found.get(tag);
        const length = field && kindOf(field.type)[0] * field.count;
        return length && length <= maxBytes ? this.bytes.at(field.at, length) : undefined;
      },
      entries,
      isWhole: read === entries,
      valueBytes,
      next: this.#number(start + entries * entryBytes, word) ?? 0,
    };
  }

  #value(field: Field | undefined, maxBytes: number): TagValue | undefined {
    if (field === undefined) return undefined;
    const { type, count, at } = field;
    const [size, get] = kindOf(type);
    // Some writers count what follows the end of a text.
    const length = isText(type) ? Math.min(count, maxBytes) : size * count;
    if (size === 0 || length > maxBytes) return undefined;
    const bytes = this.bytes.at(at, length);
    if (!bytes || isText(type)) return bytes?.toString('latin1').replace(/\0.*$/s, '');
    const view = viewOf(bytes);
    return Array.from({ length: count }, (_, i) => get(view, i * size, this.#little));
  }

  #number(offset: number, [size, get]: Kind): number | undefined {
    const bytes = this.bytes.at(offset, size);
    return bytes?.length === size && size > 0 ? get(viewOf(bytes), 0, this.#little) : undefined;
  }
}
