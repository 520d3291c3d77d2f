import { closeSync, fstatSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Ffmpeg, loadFfmpeg } from '../src/imaging/ffmpeg.js';
import { annexB } from './annex-b.js';
import { toSrgb } from './colours.js';
import { toPixels } from './decode.js';
import type { Header } from './header.js';
import { type Colours, HevcDecoder } from './hevc-decoder.js';
import { type HevcStill, readHevcStill } from './hevc-still.js';
import { FileBytes } from './inspect/file-bytes.js';
import { sharp } from './libvips.js';
import type { Pixels } from './pixels.js';
import { Planes } from './planes.js';

import { Refused } from './refused.js';
import type { Source } from './source.js';
import { withProfile } from './with-profile.js';
import { toRgb } from './ycbcr.js';

const ffmpeg = await loadFfmpeg();

function readStill(path: string): HevcStill | undefined {
  const fd = openSync(path, 'r');
  try {
    return readHevcStill(new FileBytes(fd, fstatSync(fd).size));
  } finally {
    closeSync(fd);
  }
}

async function decode(path: string, still: HevcStill, lib: Ffmpeg): Promise<Pixels> {
  const file = await readFile(path);
  const planes = new Planes(still);
  const decoder = new HevcDecoder(lib, still.tileSize, (frame, i) => planes.paste(lib, frame, i));
  let coded: Colours;
  try {
    coded = decoder.decode(still.tiles.map((tile) => annexB(file, tile)));
  } finally {
    decoder.free();
  }
  const { data, ...size } = planes.interleaved();
  const fitted = await toPixels(
    sharp(data, { raw: { ...size, channels: 3 }, limitInputPixels: false }),
  );
  return toRgb(fitted, still.colours ?? coded);
}

async function turned(pixels: Pixels, quarterTurns: number): Promise<Pixels> {
  if (quarterTurns === 0) return pixels;
  const { data, ...raw } = pixels;
  return toPixels(sharp(data, { raw }).rotate(360 - 90 * quarterTurns));
}

/**
 * Decodes the primary image of a HEIC file with the machine's FFmpeg.
 *
 * @returns undefined if there is no FFmpeg, if the image does not have the form that phones write,
 *   or if anything is wrong with it; the caller then uses the bundled decoder.
 * @throws Refused `image_too_large`.
 */
export async function decodeHeicNatively(
  source: Source,
  { icc, colours }: Pick<Header, 'icc' | 'colours'>,
  maxPixels: number,
): Promise<Pixels | undefined> {
  if (!ffmpeg || typeof source !== 'string') return undefined;
  try {
    const still = readStill(source);
    if (!still) return undefined;
    const { width, height, quarterTurns } = still;
    if (width * height > maxPixels) throw new Refused('image_too_large', `${width} x ${height}`);
    const pixels = await turned(await decode(source, still, ffmpeg), quarterTurns);
    if (icc) return await toPixels(sharp(withProfile(pixels, icc)));
    return colours ? toSrgb(pixels, colours, false) : pixels;
  } catch (error) {
    if (error instanceof Refused && error.code === 'image_too_large') throw error;
    return undefined;
  }
}
