import type { Outcome } from '../src/imaging/protocol.js';
import { decodeHeic } from './decode-heic.js';
import { Refused } from './refused.js';
import { settings, work } from './task.js';

/** The piscina task of HEIC pictures; loading this file loads the WASM decoder. */
export default function task(path: string): Promise<Outcome> {
  return work(path, (header) =>
    decodeHeic(header, settings.maxPixels).catch((error: unknown) => {
      if (error instanceof Refused) throw error;
      // A trap leaves the memory of the WASM module in any state: this thread takes no more work.
      return process.exit(1);
    }),
  );
}
