import type { Sharp } from 'sharp';
import { sharp } from './libvips.js';
import { displaySide, type Pixels } from './pixels.js';
import { Refused } from './refused.js';
import type { Source } from './source.js';
import type { FailOn } from './decode-picture.js';

/** Runs a pipeline to pixels, fitted into the display square and converted to sRGB. */
export async function toPixels(pipeline: Sharp): Promise<Pixels> {
  const { data, info } = await pipeline
    .resize(displaySide, displaySide, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels as 3 | 4 };
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
  { maxPixels, failOn }: DecodeOptions,
): Promise<Pixels> {
  const pipeline = sharp(source, {
    // Never at warnings: they are common in images that every viewer shows.
    failOn,
    sequentialRead: true,
    limitInputPixels: maxPixels,
  });
  try {
    return await toPixels(pipeline.autoOrient());
  } catch (error) {
    throw new Refused('corrupt_image', (error as Error).message);
  }
}
