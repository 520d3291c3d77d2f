import type { Sharp } from 'sharp';
import { sharp } from './libvips.js';
import { displaySide, type Pixels } from './pixels.js';
import { Refused } from './refused.js';
import type { Source } from './source.js';
import type { Header } from './header.js';
import { toSrgb } from './colours.js';

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

export interface DecodeOptions {
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
