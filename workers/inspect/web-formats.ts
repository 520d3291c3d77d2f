/** The structure of JPEG, PNG, WebP, and GIF files, and what decoding them may take. */
import {
  gifBlock,
  gifBlocksOf,
  gifFrameBytes,
  gifHeaderBytes,
  jpegMarker,
  jpegSegments,
  pngChunks,
  webpChunks,
} from '../containers.js';
import type { FileBytes } from '../source.js';
import {
  corrupt,
  counter,
  type Structure,
  tooComplex,
  unsupported,
  rowBytes,
} from './structure.js';

/** Every scan is a pass over all pixels; encoders that optimize the order of scans use about 20. */
const maxScans = 100;
/** Coefficients of all scans are kept, at two bytes each. */
const coefficientBytes = 2.2;
/** Conversion from CMYK uses its profile. */
const cmykBytes = 20e6;

const defineHuffman = 0xc4;
const extension = 0xc8;
const defineArithmetic = 0xcc;
const isProgressive = (code: number): boolean => code === 0xc2 || code === 0xca;
// Sequential and progressive, each Huffman or arithmetic coded; not lossless and hierarchical.
const supportedFrames = [0xc0, 0xc1, 0xc2, 0xc9, 0xca];
const notFrames = [defineHuffman, extension, defineArithmetic];
const startsFrame = (code: number): boolean =>
  code >= 0xc0 && code <= 0xcf && !notFrames.includes(code);
interface Frame {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly progressive: boolean;
  /** Of all components, each at the size that its sampling gives it. */
  readonly samplesPerPixel: number;
}

function readFrame(code: number, payload: Buffer): Frame {
  if (!supportedFrames.includes(code)) throw unsupported(`JPEG of process ${code.toString(16)}`);
  const components = payload[5] ?? 0;
  if (components === 0 || payload.length < 6 + components * 3) throw corrupt('JPEG frame');
  if (payload[0] !== 8) throw unsupported(`JPEG of ${payload[0]} bits`);
  const [height, width] = [payload.readUInt16BE(1), payload.readUInt16BE(3)];
  if (width === 0) throw corrupt('JPEG without a width');
  if (height === 0) throw unsupported('JPEG that gives its height after its pixels');
  const samplings = Array.from({ length: components }, (_, i) => {
    const factors = payload[7 + i * 3] as number;
    return [factors >> 4, factors & 15] as const;
  });
  const widest = Math.max(...samplings.map(([h]) => h)) * Math.max(...samplings.map(([, v]) => v));
  const samplesPerPixel = samplings.reduce((sum, [h, v]) => sum + h * v, 0) / Math.max(1, widest);
  return { width, height, components, progressive: isProgressive(code), samplesPerPixel };
}

/**
 * Traverses the segments to the first scan, or to the last if the image has several scans.
 *
 * @throws Refused
 */
export function inspectJpeg(bytes: FileBytes): Structure {
  const countSegment = counter('JPEG segments');
  let frame: Frame | undefined;
  let scans = 0;
  let inOneScan = false;
  for (const { type, start, length } of jpegSegments(bytes)) {
    if (type === jpegMarker.endOfImage) break;
    countSegment();
    if (startsFrame(type) && frame === undefined) {
      frame = readFrame(type, bytes.at(start, length) ?? Buffer.alloc(0));
    }
    if (type !== jpegMarker.startOfScan) continue;
    if (frame === undefined) break;
    if (++scans > maxScans) throw tooComplex(`more than ${maxScans} scans`);
    // With a single scan, rows are decoded as they are read.
    const components = bytes.byteAt(start) ?? 0;
    inOneScan = scans === 1 && !frame.progressive && components === frame.components;
    if (inOneScan) break;
  }
  if (frame === undefined) throw corrupt('JPEG without a frame');
  const { width, height, samplesPerPixel } = frame;
  const kept = inOneScan ? 0 : width * height * samplesPerPixel * coefficientBytes;
  const decoderBytes = kept + (frame.components > 3 ? cmykBytes : 0);
  return { format: 'jpeg', width, height, decoderBytes };
}

/** Deflate's best compression ratio. */
export const maxInflation = 1_032;
/** libpng, as configured by libvips, keeps no more of one chunk. */
const maxKeptBytes = 50e6;
/** Limit on the unpacked size of compressed texts and profiles. */
const maxInflatedBytes = 400e6;

/** Those of the picture and of an animation, which may come in any number. */
const pixelChunks = ['IDAT', 'fcTL', 'fdAT'];
const compressed = ['zTXt', 'iTXt', 'iCCP'];

// Samples of a decoded pixel by color type: grey, RGB, palette, grey with alpha, RGB with alpha.
const samplesOf: readonly (number | undefined)[] = [1, undefined, 3, 4, 2, undefined, 4];

/**
 * Traverses all chunks: the decoder also keeps those after the pixels.
 *
 * @throws Refused
 */
export function inspectPng(bytes: FileBytes): Structure {
  const countChunk = counter('PNG chunks');
  let header: Buffer | undefined;
  let kept = 0;
  for (const { type, start, length } of pngChunks(bytes)) {
    // Apple's own form, for example, begins with another.
    if (header === undefined && type !== 'IHDR') {
      throw unsupported(`PNG that begins with ${JSON.stringify(type)}`);
    }
    header ??= bytes.at(start, 13);
    if (header === undefined || type === 'IEND') break;
    if (!pixelChunks.includes(type)) countChunk();
    if (compressed.includes(type)) kept += Math.min(length * maxInflation, maxKeptBytes);
    if (kept > maxInflatedBytes) throw tooComplex('PNG with too many compressed texts');
  }
  if (header === undefined) throw corrupt('PNG without a header');
  return pngStructure(header, kept);
}

function pngStructure(header: Buffer, kept: number): Structure {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const pixelBytes = (samplesOf[header[9] as number] ?? 4) * (header[8] === 16 ? 2 : 1);
  // An interlaced image is complete only once all of it is decoded.
  const whole = header[12] === 1 ? width * height * pixelBytes : 0;
  const decoderBytes = kept + whole + rowBytes(width, height, pixelBytes);
  return { format: 'png', width, height, decoderBytes };
}

// Bytes of memory per pixel.
const webpLosslessBytes = 5;
const webpAlphaBytes = 1.3;
/** Lossy images are scaled while they are decoded; animations are not. */
const webpCanvasBytes = 8;

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
  for (const { type, start, length } of webpChunks(bytes)) {
    countChunk();
    const data = length < 10 ? undefined : bytes.at(start, 10);
    size ??= data && sizeIn(type, data);
    if (type === 'ALPH') pixelBytes = Math.max(pixelBytes, webpAlphaBytes);
    if (type === 'VP8L') pixelBytes = Math.max(pixelBytes, webpLosslessBytes);
    if (type === 'ANMF') pixelBytes = webpCanvasBytes;
  }
  if (size === undefined) throw corrupt('WebP without a picture');
  const [width, height] = size;
  const decoderBytes = width * height * pixelBytes + bytes.size;
  return { format: 'webp', width, height, decoderBytes };
}

/** Frames and extensions; an animation has one of each per frame. */
const maxBlocks = 50_000;

/** Bytes of memory for the current frame and the previous one. */
const gifPixelBytes = 6.5;
const gifBlockBytes = 300;

/**
 * Traverses all blocks of the file, as the decoder will.
 *
 * @throws Refused
 */
export function inspectGif(bytes: FileBytes): Structure {
  const header = bytes.at(0, gifHeaderBytes);
  if (header === undefined) throw corrupt('GIF without a header');
  let [width, height] = [header.readUInt16LE(6), header.readUInt16LE(8)];
  const countBlock = counter('GIF blocks', maxBlocks);
  let blocks = 0;
  for (const { type, at } of gifBlocksOf(bytes)) {
    if (type === gifBlock.trailer) break;
    countBlock();
    blocks++;
    const frame = type === gifBlock.image ? bytes.at(at, gifFrameBytes) : undefined;
    if (!frame) continue;
    // The decoder enlarges the screen for frames that do not fit.
    width = Math.max(width, frame.readUInt16LE(1) + frame.readUInt16LE(5));
    height = Math.max(height, frame.readUInt16LE(3) + frame.readUInt16LE(7));
  }
  const decoderBytes = width * height * gifPixelBytes + blocks * gifBlockBytes + bytes.size;
  return { format: 'gif', width, height, decoderBytes };
}
