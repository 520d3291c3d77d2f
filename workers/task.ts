import { workerData } from 'node:worker_threads';
import type { DecodedImage, Outcome, ProcessSettings } from '../src/imaging/protocol.js';
import { readExif, readTiffExif } from './exif.js';
import { type Header, readHeader } from './header.js';
import type { Pixels } from './pixels.js';
import { outcomeOf } from './refused.js';
import { render } from './render.js';

/** As given to this thread by the imaging process. */
export const settings = workerData as ProcessSettings;

type Decoder = (header: Header) => Promise<Pixels>;

async function decoded(path: string, decode: Decoder): Promise<DecodedImage> {
  const header = await readHeader(path, settings.maxPixels);
  const derived = await render(header, await decode(header));
  const { format, width, height, exif } = header;
  const told = format === 'tiff' ? readTiffExif(path) : exif ? readExif(exif) : {};
  return { format, width, height, ...told, ...derived };
}

/** Works on one picture; every end that can be foreseen is an outcome, not a throw. */
export async function work(path: string, decode: Decoder): Promise<Outcome> {
  try {
    return { kind: 'done', image: await decoded(path, decode) };
  } catch (error) {
    return outcomeOf(error);
  }
}
