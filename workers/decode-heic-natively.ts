import { readFile } from 'node:fs/promises';
import { loadNativeLibheif } from '../src/imaging/native-libheif.js';
import { fitRaw } from './fit-raw.js';
import type { Header } from './header.js';
import type { Pixels } from './pixels.js';
import { Refused } from './refused.js';
import type { Source } from './source.js';

const native = await loadNativeLibheif();

/**
 * Decodes the primary image of a HEIC file with the libheif of the machine.
 *
 * @returns undefined if there is none, or if it fails: then the bundled decoder decides.
 * @throws Refused `image_too_large`.
 */
export async function decodeHeicNatively(
  source: Source,
  { icc }: Header,
  maxPixels: number,
): Promise<Pixels | undefined> {
  if (!native) return undefined;
  const file = typeof source === 'string' ? await readFile(source) : source;
  try {
    return await native.decode(
      file,
      ({ width, height }) => {
        if (width * height > maxPixels)
          throw new Refused('image_too_large', `${width} x ${height}`);
      },
      (image) => fitRaw(image, icc),
    );
  } catch (error) {
    if (error instanceof Refused) throw error;
    return undefined;
  }
}
