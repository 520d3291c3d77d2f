/** Builds EXIF blocks, and adds them to files for which sharp cannot. */

export type Rational = readonly [numerator: number, denominator: number];

interface Entry {
  readonly tag: number;
  readonly type: 2 | 3 | 4 | 5 | 10 | 13 | 18;
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
  readonly digitized?: string;
  readonly offsetTime?: string;
  /** As some cameras write it: coordinates as signed numbers, pointers of type IFD. */
  readonly odd?: boolean;
}

type Layout = 'classic' | 'big';

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

const text = (tag: number, value: string): Entry => ({
  tag,
  type: 2,
  count: value.length + 1,
  value: Buffer.from(`${value}\0`),
});

const rationals = (tag: number, values: readonly Rational[], odd = false): Entry => ({
  tag,
  type: odd ? 10 : 5,
  count: values.length,
  value: Buffer.concat(values.flat().map((value) => u32(value >>> 0))),
});

/** A directory that starts at `at`, followed by its larger values. */
function directory(at: number, entries: readonly Entry[], layout: Layout = 'classic'): Buffer {
  const [word, size] = layout === 'big' ? [u64, 8] : [u32, 4];
  const count = layout === 'big' ? u64(entries.length) : u32(entries.length).subarray(0, 2);
  let next = at + directoryBytes(entries.length, layout);
  const head: Buffer[] = [count];
  const tail: Buffer[] = [];
  for (const { tag, type, count, value } of entries) {
    const inline = Buffer.alloc(size);
    value.copy(inline);
    const codes = Buffer.from([tag & 0xff, tag >> 8, type, 0]);
    head.push(codes, word(count), value.length <= size ? inline : word(next));
    if (value.length <= size) continue;
    tail.push(value);
    next += value.length;
  }
  return Buffer.concat([...head, word(0), ...tail]);
}

const directoryBytes = (entries: number, layout: Layout): number =>
  layout === 'big' ? 8 + entries * 20 + 8 : 2 + entries * 12 + 4;

/** The EXIF and GPS directories from `at` on, and the entries of the main directory that point to them. */
function parts(at: number, content: ExifContent, layout: Layout = 'classic') {
  const { gps, odd, orientation } = content;
  const times: readonly [tag: number, value: string | undefined][] = [
    [0x9003, content.taken],
    [0x9004, content.digitized],
    [0x9010, content.offsetTime],
    [0x9011, content.offset],
  ];
  const photo = directory(
    at,
    times.flatMap(([tag, value]) => (value === undefined ? [] : [text(tag, value)])),
    layout,
  );
  const gpsAt = at + photo.length;
  const gpsDirectory = gps
    ? directory(
        gpsAt,
        [
          ...(gps.latitudeRef === undefined ? [] : [text(1, gps.latitudeRef)]),
          rationals(2, gps.latitude, odd),
          ...(gps.longitudeRef === undefined ? [] : [text(3, gps.longitudeRef)]),
          rationals(4, gps.longitude, odd),
        ],
        layout,
      )
    : Buffer.alloc(0);
  const pointer = (tag: number, value: number): Entry =>
    layout === 'big'
      ? { tag, type: 18, count: 1, value: u64(value) }
      : { tag, type: odd ? 13 : 4, count: 1, value: u32(value) };
  const pointers: Entry[] = [
    ...(orientation === undefined
      ? []
      : [{ tag: 0x0112, type: 3 as const, count: 1, value: u32(orientation) }]),
    pointer(0x8769, at),
    ...(gps ? [pointer(0x8825, gpsAt)] : []),
  ];
  return { bytes: Buffer.concat([photo, gpsDirectory]), pointers };
}

/** A little-endian EXIF block without the `Exif` marker, or a BigTIFF file without a picture. */
export function exifBlock(content: ExifContent, layout: Layout = 'classic'): Buffer {
  const header = Buffer.from(
    layout === 'big' ? 'II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0' : 'II*\0\x08\0\0\0',
    'latin1',
  );
  const entries = parts(0, content, layout).pointers.length;
  const { bytes, pointers } = parts(
    header.length + directoryBytes(entries, layout),
    content,
    layout,
  );
  return Buffer.concat([header, directory(header.length, pointers, layout), bytes]);
}

/** The little-endian TIFF file with these directories added and its main directory rewritten at the end. */
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
