import { open } from 'node:fs/promises';
import type { Inspection } from '../../src/imaging/protocol.js';
import { type Magic, magicOf, sniffBytes } from '../sniff.js';
import { FileBytes } from './file-bytes.js';
import { inspectGif } from './gif.js';
import { inspectHeif } from './heif.js';
import { inspectJpeg } from './jpeg.js';
import { pipelineBytes } from './memory.js';
import { inspectPng } from './png.js';
import { type Structure, tooLarge, unsupported } from './structure.js';
import { inspectTiff } from './tiff.js';
import { inspectWebp } from './webp.js';

export interface InspectionLimits {
  /** Limit on width times height. */
  readonly maxPixels: number;
}

/** The largest side that decoders and rendition formats support. */
const maxSide = 65_535;

const readers: Record<Magic, (bytes: FileBytes, limits: InspectionLimits) => Structure> = {
  jpeg: inspectJpeg,
  png: inspectPng,
  webp: inspectWebp,
  gif: inspectGif,
  tiff: inspectTiff,
  isobmff: (bytes, { maxPixels }) => inspectHeif(bytes, maxPixels),
};

/**
 * Inspects the structure of the image at `path` without decoding anything, in time and memory that
 * do not depend on the file's content. A truncated file is accepted as long as its header is
 * complete.
 *
 * @throws Refused `unsupported_image`; `image_too_large` above `maxPixels` or a side of 65,535;
 *   `image_too_complex` if decoding would take too long, or too much memory besides the pixels;
 *   `corrupt_image` if the header is broken.
 */
export async function inspect(path: string, limits: InspectionLimits): Promise<Inspection> {
  const file = await open(path);
  try {
    const bytes = new FileBytes(file.fd, (await file.stat()).size);
    const magic = magicOf(bytes.at(0, Math.min(bytes.size, sniffBytes)) ?? Buffer.alloc(0));
    if (magic === undefined) throw unsupported('unknown signature');
    const { format, width, height, decoderBytes } = readers[magic](bytes, limits);
    if (width * height > limits.maxPixels || Math.max(width, height) > maxSide) {
      throw tooLarge(`${width} x ${height}`);
    }
    const memoryBytes = Math.ceil(pipelineBytes + decoderBytes);
    return { format, width, height, pool: format === 'heif' ? 'heic' : 'common', memoryBytes };
  } finally {
    await file.close();
  }
}
