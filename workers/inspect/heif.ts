import { boxesIn } from './boxes.js';
import type { FileBytes } from './file-bytes.js';
import { type Cost, HeifCost } from './heif-cost.js';
import { HeifItems } from './heif-items.js';
import { corrupt, type Structure, tooComplex, unsupported } from './structure.js';

/** Pixels that may be decoded per pixel shown: tiles overhang, alpha doubles. */
const maxDecodedPerShown = 4;
/** Allowance for small images made of large tiles. */
const freePixels = 16e6;

/** Bytes of memory per pixel: as shown, of the largest frame, of alpha. */
const pixelBytes = { av01: [10, 10, 4], hvc1: [7, 2, 5] } as const;
/** The WASM decoder with the thread that runs it. */
const hevcDecoderBytes = 45e6;

function memoryOf(cost: Cost): number {
  const [shown, frame, alpha] = pixelBytes[cost.coding];
  const { width, height, largestPixels, alphaPixels } = cost;
  const picture = width * height * shown + largestPixels * frame + alphaPixels * alpha;
  const deep = cost.sampleBytes === 2 ? 1.4 : 1;
  return picture * deep + (cost.coding === 'hvc1' ? hevcDecoderBytes : 0);
}

/**
 * Reads the item table and sums the cost of the items that make up the primary image.
 *
 * @throws Refused
 */
export function inspectHeif(bytes: FileBytes, maxPixels: number): Structure {
  const boxes = boxesIn(bytes, 0, bytes.size);
  const meta = boxes.find(({ type }) => type === 'meta');
  if (meta === undefined) {
    // Tracks without a still, or the short form of the item table.
    if (boxes.some(({ type }) => type === 'moov' || type === 'mini')) {
      throw unsupported('HEIF without an item table');
    }
    throw corrupt('HEIF without an item table');
  }
  const items = new HeifItems(bytes, meta);
  const cost = new HeifCost(bytes, items).of(items.primary);
  const { width, height, decodedPixels } = cost;
  const most = Math.min(maxDecodedPerShown * width * height, 2 * maxPixels) + freePixels;
  if (decodedPixels > most) throw tooComplex(`${decodedPixels} pixels for ${width} x ${height}`);
  return {
    format: cost.coding === 'av01' ? 'avif' : 'heif',
    width,
    height,
    decoderBytes: memoryOf(cost) + 2 * bytes.size,
  };
}
