import { workerData } from 'node:worker_threads';
import type { ImageFacts } from '../src/imaging/port.js';
import type { Outcome, ProcessSettings } from '../src/imaging/protocol.js';
import { TooSlow } from './decode.js';
import { readExif, readTiffExif } from './exif.js';
import { type Header, readHeader } from './header.js';
import type { Pixels } from './pixels.js';
import { Refused } from './refused.js';
import { render } from './render.js';

/** As given to this thread by the imaging process. */
export const settings = workerData as ProcessSettings;

/** Thrown by a decoder that leaves the picture to the heic lane. */
export class OtherLane extends Error {}

type Decoder = (header: Header) => Promise<Pixels>;

async function factsOf(path: string, decode: Decoder): Promise<ImageFacts> {
  const header = await readHeader(path, settings.maxPixels);
  const derived = await render(path, header, await decode(header));
  const { format, width, height, exif } = header;
  const told = format === 'tiff' ? readTiffExif(path) : exif ? readExif(exif) : {};
  return { format, width, height, ...told, ...derived };
}

/** Works on one picture; every end that can be foreseen is an outcome, not a throw. */
export async function work(path: string, decode: Decoder): Promise<Outcome> {
  try {
    return { kind: 'done', facts: await factsOf(path, decode) };
  } catch (error) {
    if (error instanceof Refused) {
      return { kind: 'refused', code: error.code, reason: error.message };
    }
    if (error instanceof OtherLane) return { kind: 'heic' };
    if (error instanceof TooSlow) return { kind: 'lost', reason: error.message };
    return { kind: 'failed', reason: String(error) };
  }
}
