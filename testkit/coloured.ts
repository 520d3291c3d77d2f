/** Draws pictures of one color whose files say in various ways what their samples mean. */

import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { tiffFile } from './drawn-tiff.js';

const width = 1100;
const height = 20;

export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32BE(value, i * 4));
  return bytes;
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([u32(data.length), content, u32(crc32(content))]);
}

const afterHeader = 33;

/** A PNG of one color (samples 0 to 255), with these chunks before its pixels. */
export async function pngWith(
  samples: readonly number[],
  deep: boolean,
  chunks: Readonly<Record<string, Buffer>>,
): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = samples;
  const background = { r, g, b };
  const picture = sharp({ create: { width, height, channels: 3, background } });
  const png = await (deep ? picture.toColourspace('rgb16') : picture).png().toBuffer();
  const added = Object.entries(chunks).map(([type, data]) => pngChunk(type, data));
  return Buffer.concat([png.subarray(0, afterHeader), ...added, png.subarray(afterHeader)]);
}

/** A TIFF of one color of sixteen bits (samples 0 to 255), grey or RGB, with a profile. */
export function deepTiff(samples: readonly number[], icc: Buffer): Promise<Buffer> {
  const data = Buffer.alloc(width * height * samples.length * 2);
  for (let i = 0; i < data.length / 2; i++) {
    data.writeUInt16LE(Math.round((samples[i % samples.length] ?? 0) * 257), i * 2);
  }
  return Promise.resolve(tiffFile({ width, height, samples: samples.length, bits: 16, data, icc }));
}

const s15 = (...values: readonly number[]): Buffer =>
  u32(...values.map((value) => Math.round(value * 65_536) >>> 0));

function profile(space: string, tags: readonly (readonly [string, Buffer])[]): Buffer {
  const header = Buffer.alloc(128);
  header.writeUInt32BE(0x0210_0000, 8);
  header.write(`mntr${space}XYZ `, 12, 'latin1');
  header.write('acsp', 36, 'latin1');
  s15(0.9642, 1, 0.8249).copy(header, 68);
  let at = 128 + 4 + tags.length * 12;
  const table = tags.map(([name, { length }]) => {
    const entry = Buffer.concat([Buffer.from(name), u32(at, length)]);
    at += length;
    return entry;
  });
  header.writeUInt32BE(at, 0);
  return Buffer.concat([header, u32(tags.length), ...table, ...tags.map(([, data]) => data)]);
}

const xyz = (...values: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), s15(...values)]);

/** A curve with an exponent in 256ths. */
const curve = (exponent: number): Buffer =>
  Buffer.concat([
    Buffer.from('curv\0\0\0\0\0\0\0\x01', 'latin1'),
    Buffer.from([exponent >> 8, exponent & 0xff, 0, 0]),
  ]);

/** The primaries and the exponent of Adobe RGB (1998). */
export const adobeProfile = (): Buffer =>
  profile('RGB ', [
    ['wtpt', xyz(0.9505, 1, 1.0891)],
    ['rXYZ', xyz(0.60974, 0.31111, 0.01947)],
    ['gXYZ', xyz(0.20528, 0.62567, 0.06087)],
    ['bXYZ', xyz(0.14919, 0.06322, 0.74457)],
    ...(['rTRC', 'gTRC', 'bTRC'] as const).map((name) => [name, curve(563)] as const),
  ]);

/** Grey whose samples are proportional to light. */
export const greyProfile = (): Buffer =>
  profile('GRAY', [
    ['wtpt', xyz(0.9642, 1, 0.8249)],
    ['kTRC', curve(256)],
  ]);
