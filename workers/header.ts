import type { ImageFormat } from '../src/imaging/formats.js';
import { sharp } from './libvips.js';
import { Refused } from './refused.js';
import { type Colours, coloursIn } from './colours.js';
import { type Source, withBytes } from './source.js';

/** The properties of an image known before any pixel is decoded. */
export interface Header {
  readonly format: ImageFormat;
  /** Pixels, after EXIF orientation. */
  readonly width: number;
  readonly height: number;
  readonly exif: Buffer | undefined;
  readonly icc: Buffer | undefined;
  /** Those that libvips would not convert by itself. */
  readonly colours: Colours | undefined;
  /** Whether samples have sixteen bits. */
  readonly deep: boolean;
}

export interface HeaderExpected {
  /** As reported by the inspection. */
  readonly format: ImageFormat;
  readonly maxPixels: number;
}

/**
 * Reads the header of an image.
 * @throws Refused `corrupt_image`, or `image_too_large` above `maxPixels`.
 */
export async function readHeader(
  source: Source,
  { format, maxPixels }: HeaderExpected,
): Promise<Header> {
  // Missing pixels do not matter yet.
  const meta = await sharp(source, { failOn: 'none', limitInputPixels: false })
    .metadata()
    .catch((error: Error) => {
      throw new Refused('corrupt_image', error.message);
    });
  const { width, height } = meta.autoOrient;
  if (width * height > maxPixels) throw new Refused('image_too_large', `${width} x ${height}`);
  const { exif, icc } = meta;
  const deep = meta.space === 'rgb16' || meta.space === 'grey16';
  const colours = await withBytes(source, (bytes) => coloursIn(bytes, { format, icc, deep }));
  return { format, width, height, exif, icc, colours, deep };
}
