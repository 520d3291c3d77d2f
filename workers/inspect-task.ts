import { open } from 'node:fs/promises';
import { workerData } from 'node:worker_threads';
import type { Inspection, InspectionOutcome, ProcessSettings } from '../src/imaging/protocol.js';
import { outcomeOf } from './refused.js';
import { type Magic, magicOf, sniffBytes } from './sniff.js';
import { FileBytes } from './source.js';
import { inspectGif, inspectJpeg, inspectPng, inspectWebp } from './inspect/web-formats.js';
import { inspectHeif } from './inspect/heif.js';
import { pipelineBytes, type Structure, tooLarge, unsupported } from './inspect/structure.js';
import { inspectTiff } from './inspect/tiff.js';

/** The piscina task that examines the structure of an image, in JavaScript only. */
export default async function task(path: string): Promise<InspectionOutcome> {
  try {
    return { kind: 'inspected', inspection: await inspect(path, workerData as ProcessSettings) };
  } catch (error) {
    return outcomeOf(error);
  }
}

/** `maxPixels` limits width times height. */
type InspectionLimits = Pick<ProcessSettings, 'maxPixels'>;

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
    return structureOf(new FileBytes(file.fd, (await file.stat()).size), limits);
  } finally {
    await file.close();
  }
}

/** The same for bytes that are at hand. */
export function structureOf(bytes: FileBytes, limits: InspectionLimits): Inspection {
  const magic = magicOf(bytes.at(0, Math.min(bytes.size, sniffBytes)) ?? Buffer.alloc(0));
  if (magic === undefined) throw unsupported('unknown signature');
  const { format, width, height, decoderBytes } = readers[magic](bytes, limits);
  if (width * height > limits.maxPixels || Math.max(width, height) > maxSide) {
    throw tooLarge(`${width} x ${height}`);
  }
  const memoryBytes = Math.ceil(pipelineBytes + decoderBytes);
  return { format, width, height, pool: format === 'heif' ? 'heic' : 'common', memoryBytes };
}
