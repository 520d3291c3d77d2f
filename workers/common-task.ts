import type { DecodeOutcome } from '../src/imaging/protocol.js';
import { decode } from './decode.js';
import { type Picture, settings, work } from './task.js';

/** The piscina task of every format that libvips decodes. */
export default function task(picture: Picture): Promise<DecodeOutcome> {
  const { maxPixels } = settings;
  return work(picture, (source, header, failOn) => decode(source, header, { maxPixels, failOn }));
}
