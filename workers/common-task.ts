import type { Outcome } from '../src/imaging/protocol.js';
import { decode } from './decode.js';
import { OtherLane, settings, work } from './task.js';

/** The piscina task of every format that libvips decodes. */
export default function task(path: string): Promise<Outcome> {
  return work(path, (header) => {
    if (header.format === 'heif') throw new OtherLane();
    return decode(header.source, settings.softLimitSeconds, settings.maxPixels);
  });
}
