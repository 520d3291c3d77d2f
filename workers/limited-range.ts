import { readFile } from 'node:fs/promises';
import type { Pixels } from './pixels.js';
import type { Source } from './source.js';

const boxHeaderBytes = 8;
/** Black and white in the limited range of eight bits. */
const black = 16;
const white = 235;

/** The contents of boxes of this type directly within `boxes`. */
function boxesIn(boxes: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + boxHeaderBytes <= boxes.length;) {
    const size = boxes.readUInt32BE(at);
    if (size < boxHeaderBytes) break;
    if (boxes.toString('latin1', at + 4, at + 8) === type) {
      found.push(boxes.subarray(at + boxHeaderBytes, at + size));
    }
    at += size;
  }
  return found;
}

const isMonochromeAv1 = (box: Buffer): boolean => ((box[2] ?? 0) & 0x10) !== 0;
const isMonochromeHevc = (box: Buffer): boolean => ((box[16] ?? 0) & 3) === 0;
const isLimited = (box: Buffer): boolean =>
  box.toString('latin1', 0, 4) === 'nclx' && ((box[10] ?? 0) & 0x80) === 0;

/** Whether everything in an AVIF or HEIC file is grey and coded in the limited range. */
function isLimitedGrey(file: Buffer): boolean {
  const [meta] = boxesIn(file, 'meta');
  // Version and flags precede the boxes within.
  const [properties] = meta ? boxesIn(meta.subarray(4), 'iprp') : [];
  const [items] = properties ? boxesIn(properties, 'ipco') : [];
  if (!items) return false;
  const av1 = boxesIn(items, 'av1C');
  const hevc = boxesIn(items, 'hvcC');
  return (
    av1.length + hevc.length > 0 &&
    av1.every(isMonochromeAv1) &&
    hevc.every(isMonochromeHevc) &&
    boxesIn(items, 'colr').some(isLimited)
  );
}

/**
 * Expands greys that libheif returns as coded, from 16 to 235. For color images it does so itself.
 */
export async function withFullRange(source: Source, pixels: Pixels): Promise<Pixels> {
  const { data, channels } = pixels;
  for (let at = 0; at < data.length; at += channels) {
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return pixels;
  }
  const file = typeof source === 'string' ? await readFile(source) : source;
  if (!isLimitedGrey(file)) return pixels;
  const stretched = Uint8ClampedArray.from(
    { length: 256 },
    (_, value) => ((value - black) * 255) / (white - black),
  );
  for (let at = 0; at < data.length; at += channels) {
    data.fill(stretched[data[at] ?? 0] ?? 0, at, at + 3);
  }
  return pixels;
}
