import type { DecodeOutcome } from '../src/imaging/protocol.js';
import type { FailOn } from './decode.js';
import type { Header } from './header.js';
import type { Pixels } from './pixels.js';
import { Refused } from './refused.js';
import type { Source } from './source.js';
import { type Picture, settings, work } from './task.js';

/** Imported on demand, since that module loads the WASM decoder and its memory. */
async function decodeBundled(source: Source, header: Header): Promise<Pixels> {
  const { decodeHeic } = await import('./heic/bundled.js');
  return decodeHeic(source, header, settings.maxPixels).catch((error: unknown) => {
    if (error instanceof Refused) throw error;
    // A trap leaves the WASM module's memory in an undefined state, so this thread takes no more
    // work.
    return process.exit(1);
  });
}

/** The piscina task for HEIC images. */
export default function task(picture: Picture): Promise<DecodeOutcome> {
  return work(picture, async (source, header, failOn: FailOn) => {
    // A truncated file is decoded twice and compared, which requires the same decoder for both; and
    // a file that has killed a process must not kill the next one the same way.
    const native = settings.heifDecoder === 'auto' && failOn === 'error' && !picture.isRetry;
    if (native) {
      const { decodeHeicNatively } = await import('./heic/native.js');
      const pixels = await decodeHeicNatively(source, header, settings.maxPixels);
      if (pixels) return pixels;
    }
    return decodeBundled(source, header);
  });
}
