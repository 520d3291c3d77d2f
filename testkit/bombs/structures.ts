import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { ImageFormat } from '../../src/imaging/port.js';
import { box, u32 } from './heif-file.js';

const u16 = (...values: readonly number[]): Buffer => {
  const out = Buffer.alloc(values.length * 2);
  values.forEach((value, i) => out.writeUInt16BE(value, i * 2));
  return out;
};
export const many = (count: number, part: Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => part));
const full = (type: string, ...parts: Buffer[]): Buffer => box(type, u32(0), ...parts);

/** A HEIC file of one item, and boxes beside those that describe it. */
function heic(...more: Buffer[]): Buffer {
  const item = Buffer.concat([u16(1, 0), Buffer.from('hvc1\0')]);
  const infos = full('iinf', u16(1), box('infe', u32(0x0200_0000), item));
  const size = full('ispe', u32(64, 64));
  const properties = box('iprp', box('ipco', size), full('ipma', u32(1), u16(1), Buffer.from([1, 1]))); // prettier-ignore
  const meta = full('meta', full('pitm', u16(1)), infos, ...more, properties);
  return Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0heicmif1')), meta, box('mdat', Buffer.alloc(64))]); // prettier-ignore
}

export const chunk = (type: string, data: Buffer): Buffer =>
  Buffer.concat([u32(data.length), Buffer.from(type), data, u32(0)]);
const png = await sharp({ create: { width: 2, height: 2, channels: 3, background: '#123' } })
  .png()
  .toBuffer();
export const pngWith = (chunks: Buffer, afterwards = false): Buffer => {
  const at = afterwards ? png.length - 12 : 33;
  return Buffer.concat([png.subarray(0, at), chunks, png.subarray(at)]);
};
const packedNuls = Buffer.concat([
  Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0'),
  deflateSync(Buffer.alloc(1_048_576)),
]);
export const jpegOf = (segments: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), segments]);
export const segment = (code: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, code]), u16(content.length + 2), content]);

/** Small files whose structure would take long to read if it were believed. */
export const costlyStructures: [what: string, file: Buffer, format: ImageFormat][] = [
  [
    'one alpha plane named 65,535 times',
    heic(full('iref', box('auxl', u16(1, 65_535), many(65_535, u16(1))))),
    'heif',
  ],
  [
    'one description in 20,000 boxes',
    heic(full('iref', many(20_000, box('cdsc', u16(1, 1, 1))))),
    'heif',
  ],
  [
    'places of no width',
    heic(full('iloc', u16(0), u16(1000), many(1000, u16(1, 0, 65_535)))),
    'heif',
  ],
  [
    'an item with 65,000 properties',
    heic(box('iprp', box('ipco', full('ispe', u32(9, 9))), full('ipma', u32(255), many(255, Buffer.concat([u16(1), Buffer.alloc(256, 1).fill(255, 0, 1)]))))), // prettier-ignore
    'heif',
  ],
  ['20,000 packed texts after the pixels', pngWith(many(20_000, chunk('iTXt', packedNuls)), true), 'png'], // prettier-ignore
  ['20,000 broken packed texts', pngWith(many(20_000, chunk('iTXt', Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0x')))), 'png'], // prettier-ignore
  ['EXIF in 19,000 segments', jpegOf(many(19_000, segment(0xe1, Buffer.from('Exif\0\0MM')))), 'jpeg'], // prettier-ignore
  ['markers of fill bytes', jpegOf(Buffer.alloc(2_000_000, 0xff)), 'jpeg'],
];
