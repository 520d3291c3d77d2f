import type { Sharp } from 'sharp';
import { sharp } from './libvips.js';
import { displaySide, type Pixels } from './pixels.js';
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

/** Samples of a fitted image. */
interface Samples extends Omit<Pixels, 'channels'> {
  readonly channels: number;
}

async function toSamples(pipeline: Sharp, depth: 'uchar' | 'ushort'): Promise<Samples> {
  const { data, info } = await pipeline
    .resize(displaySide, displaySide, { fit: 'inside', withoutEnlargement: true })
    .raw({ depth })
    .toBuffer({ resolveWithObject: true });
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

/** Runs a pipeline to pixels, fitted into the display square and converted to sRGB. */
export async function toPixels(pipeline: Sharp): Promise<Pixels> {
  return withoutExtras(await toSamples(pipeline, 'uchar'), 1);
}

interface DecodeOptions {
  readonly maxPixels: number;
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
  { format, colours, deep }: Pick<Header, 'format' | 'colours' | 'deep'>,
  { maxPixels, failOn }: DecodeOptions,
): Promise<Pixels> {
  const pipeline = sharp(source, {
    failOn,
    // Of a JPEG, or a hundred warnings would be an error; scans are limited by the inspection.
    unlimited: format === 'jpeg' && failOn === 'none',
    sequentialRead: true,
    limitInputPixels: maxPixels,
    ignoreIcc: colours !== undefined,
  }).autoOrient();
  try {
    if (!colours) return await toPixels(deep ? pipeline.pipelineColourspace('srgb') : pipeline);
    const samples = deep
      ? withoutExtras(await toSamples(pipeline.toColourspace('rgb16'), 'ushort'), 2)
      : await toPixels(pipeline);
    return toSrgb(samples, colours, deep);
  } catch (error) {
    throw new Refused('corrupt_image', (error as Error).message);
  }
}

/** Converts pixels to sRGB by what the header says of their colors. */
export async function inSrgb(
  pixels: Pixels,
  { icc, colours }: Pick<Header, 'icc' | 'colours'>,
): Promise<Pixels> {
  if (icc) return toPixels(sharp(withProfile(pixels, icc)));
  return colours ? toSrgb(pixels, colours, false) : pixels;
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
