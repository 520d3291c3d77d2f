import type { DecodeOutcome } from '../src/imaging/protocol.js';
import { decodeHeic } from './decode-heic.js';
import { Refused } from './refused.js';
import { type Picture, settings, work } from './task.js';

/** The piscina task for HEIC images; loading this file loads the WASM decoder. */
export default function task(picture: Picture): Promise<DecodeOutcome> {
  return work(picture, (source, header) =>
    decodeHeic(source, header, settings.maxPixels).catch((error: unknown) => {
      if (error instanceof Refused) throw error;
      // A trap leaves the WASM module's memory in an undefined state, so this thread takes no more
      // work.
      return process.exit(1);
    }),
  );
}
