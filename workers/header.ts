import type { ImageFormat } from '../src/imaging/port.js';
import { sharp } from './libvips.js';
import { turnsSides } from './pixels.js';
import type { Metadata } from '../src/imaging/exif.js';
import { readMetadata } from './metadata.js';
import { Refused } from './refused.js';
import { type Colours, coloursIn } from './colours.js';
import { type Samples, samplesOf } from './inspect/tiff.js';
import { type Source, withBytes } from './source.js';

/** The properties of an image known before any pixel is decoded. */
export interface Header {
  readonly format: ImageFormat;
  /** Pixels, after EXIF orientation. */
  readonly width: number;
  readonly height: number;
  readonly icc: Buffer | undefined;
  /** Those that libvips would not convert by itself. */
  readonly colours: Colours | undefined;
  readonly metadata: Metadata;
  /** EXIF orientation that the decoder does not know of. */
  readonly orientation: number | undefined;
  /** Whether samples have sixteen bits. */
  readonly deep: boolean;
  readonly samples: Samples;
}

const usualSamples: Samples = { isOpaque: false, isYcc: false };

interface HeaderExpected {
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
      // The inspection has read the structure of a TIFF, so the decoder lacks what it describes.
      const code = format === 'tiff' ? 'unsupported_image' : 'corrupt_image';
      throw new Refused(code, error.message);
    });
  const metadata = readMetadata(source, format);
  // In HEIF, it only repeats what the file itself says.
  const isKnown = meta.orientation !== undefined || format === 'heif' || format === 'avif';
  const orientation = isKnown ? undefined : metadata.orientation;
  const size = [meta.autoOrient.width, meta.autoOrient.height] as const;
  const [width, height] = turnsSides(orientation) ? [size[1], size[0]] : size;
  if (width * height > maxPixels) throw new Refused('image_too_large', `${width} x ${height}`);
  const { icc } = meta;
  const deep = meta.space === 'rgb16' || meta.space === 'grey16';
  const colours = coloursIn(source, { format, icc, deep });
  const samples = format === 'tiff' ? withBytes(source, samplesOf) : usualSamples;
  return { format, width, height, icc, colours, deep, metadata, orientation, samples };
}
