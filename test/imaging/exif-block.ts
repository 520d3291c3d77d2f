/** Builds EXIF blocks and puts them into files that sharp does not write them into. */

export type Rational = readonly [numerator: number, denominator: number];

interface Entry {
  readonly tag: number;
  readonly type: 2 | 3 | 4 | 5;
  readonly count: number;
  readonly value: Buffer;
}

export interface Gps {
  readonly latitude: readonly Rational[];
  readonly latitudeRef?: string;
  readonly longitude: readonly Rational[];
  readonly longitudeRef?: string;
}

export interface ExifContent {
  readonly gps?: Gps;
  readonly orientation?: number;
  readonly taken?: string;
  readonly offset?: string;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const text = (tag: number, value: string): Entry => ({
  tag,
  type: 2,
  count: value.length + 1,
  value: Buffer.from(`${value}\0`),
});

const rationals = (tag: number, values: readonly Rational[]): Entry => ({
  tag,
  type: 5,
  count: values.length,
  value: Buffer.concat(values.flat().map(u32)),
});

/** A directory that starts at `at`, its larger values behind it. */
function directory(at: number, entries: readonly Entry[]): Buffer {
  const head = Buffer.alloc(2 + entries.length * 12 + 4);
  head.writeUInt16LE(entries.length);
  const tail: Buffer[] = [];
  let next = at + head.length;
  entries.forEach(({ tag, type, count, value }, i) => {
    const entry = 2 + i * 12;
    head.writeUInt16LE(tag, entry);
    head.writeUInt16LE(type, entry + 2);
    head.writeUInt32LE(count, entry + 4);
    if (value.length <= 4) return void value.copy(head, entry + 8);
    head.writeUInt32LE(next, entry + 8);
    tail.push(value);
    next += value.length;
  });
  return Buffer.concat([head, ...tail]);
}

/** The EXIF and GPS directories from `at` on, with the entries of the main one that point to them. */
function parts(at: number, { gps, taken, offset, orientation }: ExifContent) {
  const photo = directory(at, [
    ...(taken === undefined ? [] : [text(0x9003, taken)]),
    ...(offset === undefined ? [] : [text(0x9011, offset)]),
  ]);
  const gpsAt = at + photo.length;
  const place = gps
    ? directory(gpsAt, [
        ...(gps.latitudeRef === undefined ? [] : [text(1, gps.latitudeRef)]),
        rationals(2, gps.latitude),
        ...(gps.longitudeRef === undefined ? [] : [text(3, gps.longitudeRef)]),
        rationals(4, gps.longitude),
      ])
    : Buffer.alloc(0);
  const long = (tag: number, value: number): Entry => ({
    ...{ tag, type: 4, count: 1 },
    value: u32(value),
  });
  const pointers = [
    ...(orientation === undefined ? [] : [{ ...long(0x0112, orientation), type: 3 as const }]),
    long(0x8769, at),
    ...(gps ? [long(0x8825, gpsAt)] : []),
  ];
  return { bytes: Buffer.concat([photo, place]), pointers };
}

/** A little-endian EXIF block, without the `Exif` marker. */
export function exifBlock(content: ExifContent): Buffer {
  const entries = parts(0, content).pointers.length;
  const { bytes, pointers } = parts(8 + 2 + entries * 12 + 4, content);
  return Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), directory(8, pointers), bytes]);
}

/** A little-endian TIFF file with the directories added and its main directory rewritten at the end. */
export function tiffWithExif(tiff: Buffer, content: ExifContent): Buffer {
  const { bytes, pointers } = parts(tiff.length, content);
  const mainAt = tiff.readUInt32LE(4);
  const old = tiff.subarray(mainAt + 2, mainAt + 2 + tiff.readUInt16LE(mainAt) * 12);
  const entries: Entry[] = Array.from({ length: old.length / 12 }, (_, i) => {
    const entry = old.subarray(i * 12, i * 12 + 12);
    const [tag, type] = [entry.readUInt16LE(0), entry.readUInt16LE(2) as Entry['type']];
    return { tag, type, count: entry.readUInt32LE(4), value: entry.subarray(8, 12) };
  });
  const all = [...entries, ...pointers].sort((a, b) => a.tag - b.tag);
  const out = Buffer.concat([tiff, bytes, directory(tiff.length + bytes.length, all)]);
  out.writeUInt32LE(tiff.length + bytes.length, 4);
  return out;
}
