import type { ImageFormat } from '../src/imaging/port.js';
import { sharp } from './libvips.js';
import { Refused } from './refused.js';
import { stillOf } from './still.js';
import { survey } from './survey/survey.js';

/** What a picture says about itself before a pixel is decoded. */
export interface Header {
  readonly format: ImageFormat;
  /** Pixels, after EXIF orientation. */
  readonly width: number;
  readonly height: number;
  readonly exif: Buffer | undefined;
  readonly icc: Buffer | undefined;
  /** What a decoder is to read: the path of the file, or its bytes. */
  readonly source: string | Buffer;
}

/**
 * Reads the header of the picture at `path`, told by content alone.
 *
 * @throws Refused as survey does; also `corrupt_image` for what libvips does not open.
 */
export async function readHeader(path: string, maxPixels: number): Promise<Header> {
  const { format } = await survey(path, { maxPixels });
  const source = await stillOf(path, format);
  const meta = await sharp(source, { limitInputPixels: false })
    .metadata()
    .catch((error: Error) => {
      throw new Refused('corrupt_image', error.message);
    });
  const { width, height } = meta.autoOrient;
  if (width * height > maxPixels) throw new Refused('image_too_large', `${width} x ${height}`);
  return { format, width, height, exif: meta.exif, icc: meta.icc, source };
}
