import type { FileBytes } from './file-bytes.js';
import { corrupt, counter, type Structure } from './structure.js';

const riffBytes = 12;
const headBytes = 8;

// Bytes of memory per pixel.
const losslessBytes = 5;
const alphaBytes = 1.3;
/** Lossy images are scaled while they are decoded; animations are not. */
const canvasBytes = 8;

/** The size in the header of a bitstream, or of the canvas; undefined in other chunks. */
function sizeIn(type: string, data: Buffer): [width: number, height: number] | undefined {
  switch (type) {
    case 'VP8X':
      return [data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1];
    case 'VP8 ':
      // The upper two bits of each side request scaling.
      return [data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff];
    case 'VP8L': {
      const bits = data.readUInt32LE(1);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    default:
      return undefined;
  }
}

/**
 * Traverses the chunks of the file.
 *
 * @throws Refused
 */
export function inspectWebp(bytes: FileBytes): Structure {
  const countChunk = counter('WebP chunks');
  let size: [number, number] | undefined;
  let pixelBytes = 0;
  for (let at = riffBytes; ;) {
    const head = bytes.at(at, headBytes);
    if (head === undefined) break;
    countChunk();
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    const data = length < 10 ? undefined : bytes.at(at + headBytes, 10);
    size ??= data && sizeIn(type, data);
    if (type === 'ALPH') pixelBytes = Math.max(pixelBytes, alphaBytes);
    if (type === 'VP8L') pixelBytes = Math.max(pixelBytes, losslessBytes);
    if (type === 'ANMF') pixelBytes = canvasBytes;
    at += headBytes + length + (length % 2);
  }
  if (size === undefined) throw corrupt('WebP without a picture');
  const [width, height] = size;
  const decoderBytes = width * height * pixelBytes + bytes.size;
  return { format: 'webp', width, height, decoderBytes };
}
