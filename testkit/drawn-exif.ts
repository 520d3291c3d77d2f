/** Draws EXIF blocks of values in any type, and puts metadata into files the way writers do. */

import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { pngChunk } from './coloured.js';
import { u16, u32 } from './drawn-tiff.js';

/** A value of a directory: its type, the number of values, and their bytes. */
export type Value = readonly [type: number, count: number, bytes: Buffer];
type Directory = Readonly<Record<number, Value>>;

export const ascii = (text: string): Value => [2, text.length + 1, Buffer.from(`${text}\0`)];
export const bytesOf = (text: string, type = 1): Value => [type, text.length, Buffer.from(text)];
export const rationals = (values: readonly (readonly [number, number])[], type = 5): Value => [
  type,
  values.length,
  u32(...values.flat().map((value) => value >>> 0)),
];
export function doubles(...values: readonly number[]): Value {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, i) => bytes.writeDoubleLE(value, i * 8));
  return [12, values.length, bytes];
}
export function floats(...values: readonly number[]): Value {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => bytes.writeFloatLE(value, i * 4));
  return [11, values.length, bytes];
}

export interface Exif {
  readonly main?: Directory;
  readonly photo?: Directory;
  readonly gps?: Directory;
  /** Of the pointers to the other two: LONG, SLONG, or IFD. */
  readonly pointerType?: number;
  /** Whether the directory of EXIF, not the main one, points to GPS. */
  readonly nested?: boolean;
}

function directory(at: number, entries: Directory): Buffer {
  const tags = Object.keys(entries).map(Number);
  let next = at + 2 + tags.length * 12 + 4;
  const [table, values]: [Buffer[], Buffer[]] = [[u16(tags.length)], []];
  for (const tag of tags.sort((a, b) => a - b)) {
    const [type, count, bytes] = entries[tag] as Value;
    const inline = Buffer.alloc(4);
    bytes.copy(inline);
    table.push(u16(tag, type), u32(count), bytes.length > 4 ? u32(next) : inline);
    if (bytes.length <= 4) continue;
    values.push(bytes, Buffer.alloc(bytes.length % 2));
    next += bytes.length + (bytes.length % 2);
  }
  return Buffer.concat([...table, u32(0), ...values]);
}

export function exif({ main = {}, photo, gps, pointerType = 4, nested = false }: Exif): Buffer {
  const pointer = (to: number): Value => [pointerType, 1, u32(to)];
  const draw = (photoAt: number, gpsAt: number): [Buffer, Buffer, Buffer] => {
    const toGps: Directory = gps ? { 0x8825: pointer(gpsAt) } : {};
    const toPhoto: Directory = photo || nested ? { 0x8769: pointer(photoAt) } : {};
    const first = directory(8, { ...main, ...toPhoto, ...(nested ? {} : toGps) });
    const second = directory(photoAt, { ...photo, ...(nested ? toGps : {}) });
    return [first, second, directory(gpsAt, gps ?? {})];
  };
  const [first, second] = draw(0, 0);
  const parts = draw(8 + first.length, 8 + first.length + second.length);
  return Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), ...parts]);
}

/** An XMP packet with these attributes. */
export const xmp = (attributes: string): Buffer =>
  Buffer.from(
    `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" ${attributes}/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
  );

/** Wider than high, so that an orientation shows. */
const picture = (): Sharp =>
  sharp({ create: { width: 24, height: 16, channels: 3, background: '#3a6' } });

const segment = (content: Buffer): Buffer => {
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
};

/** A JPEG with segments of these contents right after its beginning. */
export async function jpegWith(...contents: readonly Buffer[]): Promise<Buffer> {
  const jpeg = await picture().jpeg().toBuffer();
  return Buffer.concat([jpeg.subarray(0, 2), ...contents.map(segment), jpeg.subarray(2)]);
}

export const named = (name: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(name, 'latin1'), content]);

const beforePixels = 33;
const endChunkBytes = 12;

/** A PNG with a chunk before its pixels, or behind them. */
export async function pngWithChunk(type: string, data: Buffer, behind = false): Promise<Buffer> {
  const png = await picture().png().toBuffer();
  const at = behind ? png.length - endChunkBytes : beforePixels;
  return Buffer.concat([png.subarray(0, at), pngChunk(type, data), png.subarray(at)]);
}

/** A block as ImageMagick puts it into a text. */
export function rawProfile(name: string, block: Buffer, packed: boolean): Buffer {
  const digits = block.toString('hex').replaceAll(/.{72}/g, '$&\n');
  const text = Buffer.from(`\n${name}\n${String(block.length).padStart(8)}\n${digits}\n`);
  const keyword = `Raw profile type ${name}\0${packed ? '\0' : ''}`;
  return named(keyword, packed ? deflateSync(text) : text);
}

/** A WebP with a chunk at its end. */
export async function webpWith(type: string, data: Buffer): Promise<Buffer> {
  const webp = await picture().webp().toBuffer();
  const chunk = [Buffer.from(type), u32(data.length), data, Buffer.alloc(data.length % 2)];
  const file = Buffer.concat([webp, ...chunk]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}
