import type { FileBytes } from './file-bytes.js';
import { rowBytes } from './memory.js';
import { corrupt, counter, type Structure, tooComplex } from './structure.js';

const signatureBytes = 8;
/** Length, type, and checksum. */
const chunkBytes = 12;
/** Deflate's best compression ratio. */
const maxInflation = 1_032;
/** libpng, as configured by libvips, keeps no more of one chunk. */
const maxKeptBytes = 50e6;
/** Limit on the unpacked size of compressed texts and profiles. */
const maxInflatedBytes = 400e6;

const inflated = ['zTXt', 'iTXt', 'iCCP'];

// Samples of a decoded pixel by color type: grey, RGB, palette, grey with alpha, RGB with alpha.
const samplesOf: readonly (number | undefined)[] = [1, undefined, 3, 4, 2, undefined, 4];

/**
 * Traverses the chunks before the pixels.
 *
 * @throws Refused
 */
export function inspectPng(bytes: FileBytes): Structure {
  const header = bytes.at(signatureBytes + 8, 13);
  if (header === undefined) throw corrupt('PNG without a header');
  const countChunk = counter('PNG chunks');
  let kept = 0;
  for (let at = signatureBytes; ;) {
    const head = bytes.at(at, 8);
    if (head === undefined) break;
    countChunk();
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4);
    if (type === 'IDAT' || type === 'IEND') break;
    if (inflated.includes(type)) kept += Math.min(length * maxInflation, maxKeptBytes);
    if (kept > maxInflatedBytes) throw tooComplex('PNG with too many compressed texts');
    at += length + chunkBytes;
  }
  return structureOf(header, kept);
}

function structureOf(header: Buffer, kept: number): Structure {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const pixelBytes = (samplesOf[header[9] as number] ?? 4) * (header[8] === 16 ? 2 : 1);
  // An interlaced image is complete only once all of it is decoded.
  const whole = header[12] === 1 ? width * height * pixelBytes : 0;
  const decoderBytes = kept + whole + rowBytes(width, height, pixelBytes);
  return { format: 'png', width, height, decoderBytes };
}
