import type { Sharp } from 'sharp';
import { sharp } from './libvips.js';
import { displaySide } from '../src/imaging/port.js';
import type { Pixels, Side } from './pixels.js';
import { Refused } from './refused.js';
import type { Source } from './source.js';
import type { Header } from './header.js';
import { toSrgb } from './colours.js';
import { fieldType, tiffTag } from '../src/imaging/tiff-directory.js';

/**
 * `none`: shows what is available of an image; `error`: throws if anything is missing; `warning`:
 * also if the decoder complains.
 */
export type FailOn = 'none' | 'error' | 'warning';

/** Samples of an image. */
interface Samples extends Omit<Pixels, 'channels'> {
  readonly channels: number;
}

/** Fits an image into a square. */
export const fitted = (pipeline: Sharp, side: Side): Sharp =>
  side === undefined
    ? pipeline
    : pipeline.resize(side, side, { fit: 'inside', withoutEnlargement: true });

async function toSamples(pipeline: Sharp, depth: 'uchar' | 'ushort'): Promise<Samples> {
  const { data, info } = await pipeline.raw({ depth }).toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/** Only the colors and alpha; TIFF images may have more channels, such as spot colors. */
function withoutExtras({ data, width, height, channels }: Samples, sampleBytes: 1 | 2): Pixels {
  if (channels === 3 || channels === 4) return { data, width, height, channels };
  const [from, to] = [channels * sampleBytes, 3 * sampleBytes];
  const colours = Buffer.alloc(width * height * to);
  for (let pixel = 0; pixel < width * height; pixel++) {
    data.copy(colours, pixel * to, pixel * from, pixel * from + Math.min(from, to));
  }
  return { data: colours, width, height, channels: 3 };
}

/** Runs a pipeline to pixels, converted to sRGB. */
export async function toPixels(pipeline: Sharp): Promise<Pixels> {
  return withoutExtras(await toSamples(pipeline, 'uchar'), 1);
}

/** What the pixels of an image may be, and what they become. */
export interface Sizes {
  readonly maxPixels: number;
  readonly side: Side;
}

interface DecodeOptions extends Sizes {
  readonly failOn: FailOn;
}

/**
 * Decodes the whole image in `source` (the first frame of an animation) through libvips. JPEG and
 * WebP are scaled while they are decoded, so that memory and time depend on the output size.
 *
 * @throws Refused `corrupt_image`.
 */
export async function decode(
  source: Source,
  {
    format,
    colours,
    deep,
    samples: { isOpaque },
  }: Pick<Header, 'format' | 'colours' | 'deep' | 'samples'>,
  { maxPixels, side, failOn }: DecodeOptions,
): Promise<Pixels> {
  const whole = sharp(source, {
    failOn,
    // Of a JPEG, or a hundred warnings would be an error; scans are limited by the inspection.
    unlimited: format === 'jpeg' && failOn === 'none',
    sequentialRead: true,
    limitInputPixels: maxPixels,
    ignoreIcc: colours !== undefined,
  }).autoOrient();
  // While it is scaled, what counts as alpha is multiplied with the colors, which are lost at zero.
  const pipeline = isOpaque ? whole.removeAlpha() : fitted(whole, side);
  const toSide = (pixels: Pixels): Promise<Pixels> | Pixels => {
    if (!isOpaque) return pixels;
    const { data, width, height, channels } = pixels;
    const raw = { width, height, channels };
    return toPixels(fitted(sharp(data, { raw, limitInputPixels: false }), side));
  };
  try {
    if (!colours) {
      return await toSide(await toPixels(deep ? pipeline.pipelineColourspace('srgb') : pipeline));
    }
    const samples = deep
      ? withoutExtras(await toSamples(pipeline.toColourspace('rgb16'), 'ushort'), 2)
      : await toPixels(pipeline);
    return await toSide(toSrgb(samples, colours, deep));
  } catch (error) {
    throw new Refused('corrupt_image', (error as Error).message);
  }
}

/** Pixels that are converted at a time: a whole display rendition. */
const pixelsAtOnce = displaySide ** 2;

/**
 * Converts pixels to sRGB by what the header says of their colors: in place, some rows at a time, so
 * that a large image needs no second copy.
 */
export async function inSrgb(
  pixels: Pixels,
  { icc, colours }: Pick<Header, 'icc' | 'colours'>,
): Promise<Pixels> {
  if (!icc && !colours) return pixels;
  const { data, width, channels } = pixels;
  const rowBytes = width * channels;
  const rowsAtOnce = Math.max(1, Math.floor(pixelsAtOnce / width));
  for (let y = 0; y < pixels.height; y += rowsAtOnce) {
    const height = Math.min(rowsAtOnce, pixels.height - y);
    const rows = data.subarray(y * rowBytes, (y + height) * rowBytes);
    const band: Pixels = { data: rows, width, height, channels };
    const converted = icc
      ? await toPixels(sharp(withProfile(band, icc)))
      : colours && toSrgb(band, colours, false);
    converted?.data.copy(rows);
  }
  return pixels;
}

const tiffHeaderBytes = 8;

/**
 * The pixels as an uncompressed TIFF file with a color profile: libvips reads profiles only from
 * files, not alongside raw pixels.
 */
function withProfile({ data, width, height, channels }: Pixels, icc: Buffer): Buffer {
  const iccAt = tiffHeaderBytes + data.length;
  // Directories start at even offsets.
  const directoryAt = iccAt + icc.length + (icc.length % 2) + (data.length % 2);
  const bits = 8;
  // tag, type, count, value: in ascending order of tags
  const entries: (readonly [number, number, number, number])[] = [
    [tiffTag.imageWidth, fieldType.long, 1, width],
    [tiffTag.imageLength, fieldType.long, 1, height],
    // Bit depths of all samples; more than two values do not fit inline and follow the directory.
    [tiffTag.bitsPerSample, fieldType.short, channels, 0],
    [tiffTag.compression, fieldType.short, 1, 1],
    [tiffTag.photometric, fieldType.short, 1, 2],
    [tiffTag.stripOffsets, fieldType.long, 1, tiffHeaderBytes],
    [tiffTag.samplesPerPixel, fieldType.short, 1, channels],
    [tiffTag.rowsPerStrip, fieldType.long, 1, height],
    [tiffTag.stripByteCounts, fieldType.long, 1, data.length],
    ...(channels === 4 ? [[tiffTag.extraSamples, fieldType.short, 1, 2] as const] : []),
    [tiffTag.iccProfile, fieldType.undefined, icc.length, iccAt],
  ];
  const directory = Buffer.alloc(2 + entries.length * 12 + 4 + channels * 2);
  const bitsAt = directoryAt + directory.length - channels * 2;
  directory.writeUInt16LE(entries.length, 0);
  entries.forEach(([tag, type, count, value], i) => {
    const at = 2 + i * 12;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(count, at + 4);
    directory.writeUInt32LE(tag === tiffTag.bitsPerSample ? bitsAt : value, at + 8);
  });
  for (let i = 0; i < channels; i++) {
    directory.writeUInt16LE(bits, directory.length - channels * 2 + i * 2);
  }
  const header = Buffer.from('II*\0\0\0\0\0', 'latin1');
  header.writeUInt32LE(directoryAt, 4);
  const padding = Buffer.alloc(directoryAt - iccAt - icc.length);
  return Buffer.concat([header, data, icc, padding, directory]);
}
