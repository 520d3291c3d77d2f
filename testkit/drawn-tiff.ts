/** Draws TIFF files of every layout that a directory can describe, for a decoder to accept or not. */

export interface TiffContent {
  readonly width: number;
  readonly height: number;
  /** Per pixel. */
  readonly samples: number;
  readonly bits: number;
  /** Of all rows, packed. */
  readonly data: Buffer;
  readonly icc?: Buffer;
  /** 1: grey, 2: RGB, and so on; by the samples if absent. */
  readonly photometric?: number;
  readonly compression?: number;
  /** Kinds of the samples after those of the colors. */
  readonly extra?: readonly number[];
  /** 1: whole numbers, 2: signed, 3: floating point. */
  readonly sampleFormat?: number;
  readonly planar?: number;
  /** Further entries: tag, type (2, 3, 4 or 7), value. */
  readonly entries?: readonly (readonly [tag: number, type: number, value: Buffer])[];
}

export function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, i) => bytes.writeUInt16LE(value, i * 2));
  return bytes;
}

export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32LE(value, i * 4));
  return bytes;
}

const sizes = new Map([
  [3, 2],
  [4, 4],
]);
const headerBytes = 8;

/** An uncompressed TIFF of one strip, or one per plane, its directory after the pixels. */
export function tiffFile(content: TiffContent): Buffer {
  const { width, height, samples, bits, data, extra = [] } = content;
  const planes = content.planar === 2 ? samples : 1;
  const planeBytes = data.length / planes;
  const strips = Array.from({ length: planes }, (_, i) => headerBytes + i * planeBytes);
  const each = (value: number): Buffer => u16(...Array.from({ length: samples }, () => value));
  const entries: (readonly [number, number, Buffer])[] = [
    [256, 4, u32(width)],
    [257, 4, u32(height)],
    [258, 3, each(bits)],
    [259, 3, u16(content.compression ?? 1)],
    [262, 3, u16(content.photometric ?? (samples - extra.length < 3 ? 1 : 2))],
    [273, 4, u32(...strips)],
    [277, 3, u16(samples)],
    [278, 4, u32(height)],
    [279, 4, u32(...strips.map(() => planeBytes))],
    [284, 3, u16(content.planar ?? 1)],
    ...(extra.length > 0 ? [[338, 3, u16(...extra)] as const] : []),
    ...(content.sampleFormat ? [[339, 3, each(content.sampleFormat)] as const] : []),
    ...(content.icc ? [[34675, 7, content.icc] as const] : []),
    ...(content.entries ?? []),
  ];
  entries.sort(([a], [b]) => a - b);
  const pad = data.length % 2;
  const directoryAt = headerBytes + data.length + pad;
  let at = directoryAt + 2 + entries.length * 12 + 4;
  const table: Buffer[] = [];
  const values: Buffer[] = [];
  for (const [tag, type, value] of entries) {
    const inline = Buffer.alloc(4);
    value.copy(inline);
    const count = value.length / (sizes.get(type) ?? 1);
    table.push(u16(tag, type), u32(count), value.length > 4 ? u32(at) : inline);
    if (value.length <= 4) continue;
    const padded = Buffer.concat([value, Buffer.alloc(value.length % 2)]);
    values.push(padded);
    at += padded.length;
  }
  const header = Buffer.concat([Buffer.from('II*\0', 'latin1'), u32(directoryAt)]);
  const rest = [Buffer.alloc(pad), u16(entries.length), ...table, u32(0), ...values];
  return Buffer.concat([header, data, ...rest]);
}
