import type { FileBytes } from './file-bytes.js';
import { corrupt, counter, type Structure, tooComplex, unsupported } from './structure.js';

/** Every scan is a pass over all pixels; encoders that optimize the order of scans use about 20. */
const maxScans = 100;
/** Coefficients of all scans are kept, at two bytes each. */
const coefficientBytes = 2.2;
/** Conversion from CMYK uses its profile. */
const cmykBytes = 20e6;

const startOfScan = 0xda;
const endOfImage = 0xd9;
const defineHuffman = 0xc4;
const extension = 0xc8;
const defineArithmetic = 0xcc;
const isProgressive = (code: number): boolean => code === 0xc2 || code === 0xca;
// Sequential and progressive, each Huffman or arithmetic coded; not lossless and hierarchical.
const supportedFrames = [0xc0, 0xc1, 0xc2, 0xc9, 0xca];
const notFrames = [defineHuffman, extension, defineArithmetic];
const startsFrame = (code: number): boolean =>
  code >= 0xc0 && code <= 0xcf && !notFrames.includes(code);
// Stuffed zeros, fill bytes, restart markers, and other markers without content.
const startsSegment = (code: number): boolean =>
  code > 0x01 && code !== 0xff && (code & 0xf8) !== 0xd0;

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
  for (let at: number | undefined = 2; ;) {
    at = bytes.findMarker(at, startsSegment);
    const head = at === undefined ? undefined : bytes.at(at, 4);
    if (at === undefined || head === undefined || head[1] === endOfImage) break;
    countSegment();
    const code = head[1] as number;
    const length = head.readUInt16BE(2);
    if (startsFrame(code) && frame === undefined) {
      frame = readFrame(code, bytes.at(at + 4, Math.max(0, length - 2)) ?? Buffer.alloc(0));
    }
    if (code === startOfScan) {
      if (frame === undefined) break;
      const components = bytes.at(at + 4, 1)?.[0] ?? 0;
      if (++scans > maxScans) throw tooComplex(`more than ${maxScans} scans`);
      // With a single scan, rows are decoded as they are read.
      inOneScan = scans === 1 && !frame.progressive && components === frame.components;
      if (inOneScan) break;
    }
    at += 2 + length;
  }
  if (frame === undefined) throw corrupt('JPEG without a frame');
  const { width, height, samplesPerPixel } = frame;
  const kept = inOneScan ? 0 : width * height * samplesPerPixel * coefficientBytes;
  const decoderBytes = kept + (frame.components > 3 ? cmykBytes : 0);
  return { format: 'jpeg', width, height, decoderBytes };
}
