import { workerData } from 'node:worker_threads';
import type {
  DecodedImage,
  ImagingJob,
  DecodeOutcome,
  ProcessSettings,
} from '../src/imaging/protocol.js';
import { outcomeOf } from './refused.js';
import { render } from './render.js';
import { type Decoder, decodePicture } from './decode-picture.js';

/** Passed to this thread by the imaging process. */
export const settings = workerData as ProcessSettings;

/** An image that has been inspected. */
export type Picture = Pick<ImagingJob, 'path' | 'format' | 'isRetry'>;

async function decoded({ path, format }: Picture, decode: Decoder): Promise<DecodedImage> {
  const { header, pixels, incomplete } = await decodePicture(path, {
    format,
    decode,
    maxPixels: settings.maxPixels,
  });
  const derived = await render(header, pixels);
  const { width, height, metadata } = header;
  const { coordinates, taken } = metadata;
  return {
    format,
    width,
    height,
    incomplete,
    ...(coordinates && { coordinates }),
    ...(taken && { taken }),
    ...derived,
  };
}

/** Processes one image; expected failures are returned as outcomes, not thrown. */
export async function work(picture: Picture, decode: Decoder): Promise<DecodeOutcome> {
  try {
    return { kind: 'done', image: await decoded(picture, decode) };
  } catch (error) {
    return outcomeOf(error);
  }
}
