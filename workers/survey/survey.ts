import { open } from 'node:fs/promises';
import type { Survey } from '../../src/imaging/protocol.js';
import { type Magic, magicOf, sniffBytes } from '../sniff.js';
import { FileBytes } from './file-bytes.js';
import { surveyGif } from './gif.js';
import { surveyHeif } from './heif.js';
import { surveyJpeg } from './jpeg.js';
import { pipelineBytes } from './memory.js';
import { surveyPng } from './png.js';
import { type Structure, tooLarge, unsupported } from './structure.js';
import { surveyTiff } from './tiff.js';
import { surveyWebp } from './webp.js';

export interface SurveyLimits {
  /** Limit on width times height. */
  readonly maxPixels: number;
}

/** The largest side that decoders and rendition formats support. */
const maxSide = 65_535;

const walks: Record<Magic, (bytes: FileBytes, limits: SurveyLimits) => Structure> = {
  jpeg: surveyJpeg,
  png: surveyPng,
  webp: surveyWebp,
  gif: surveyGif,
  tiff: surveyTiff,
  isobmff: (bytes, { maxPixels }) => surveyHeif(bytes, maxPixels),
};

/**
 * Examines the structure of the image at `path` without decoding anything, in time and memory that
 * do not depend on the file's content. A truncated file is fine as long as its header is there.
 *
 * @throws Refused `unsupported_image`; `image_too_large` above `maxPixels` or a side of 65,535;
 *   `image_too_complex` for what would keep a decoder busy or take much memory besides its pixels;
 *   `corrupt_image` if the header is broken.
 */
export async function survey(path: string, limits: SurveyLimits): Promise<Survey> {
  const file = await open(path);
  try {
    const bytes = new FileBytes(file.fd, (await file.stat()).size);
    const magic = magicOf(bytes.at(0, Math.min(bytes.size, sniffBytes)) ?? Buffer.alloc(0));
    if (magic === undefined) throw unsupported('unknown signature');
    const { format, width, height, decoderBytes } = walks[magic](bytes, limits);
    if (width * height > limits.maxPixels || Math.max(width, height) > maxSide) {
      throw tooLarge(`${width} x ${height}`);
    }
    const memoryBytes = Math.ceil(pipelineBytes + decoderBytes);
    return { format, width, height, lane: format === 'heif' ? 'heic' : 'common', memoryBytes };
  } finally {
    await file.close();
  }
}
