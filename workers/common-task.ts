import type { Outcome } from '../src/imaging/protocol.js';
import { decode } from './decode.js';
import { settings, work } from './task.js';

/** The piscina task of every format that libvips decodes. */
export default function task(path: string): Promise<Outcome> {
  return work(path, (header) => decode(header.source, settings.maxPixels));
}
