import { open, readFile } from 'node:fs/promises';
import type { ImageFormat } from '../src/imaging/port.js';
import { boxesIn } from './inspect/boxes.js';
import { FileBytes } from './inspect/file-bytes.js';

const majorBrandAt = 8;
const otherBrandsAt = 16;
const typeAt = 4;

const brandOf: Partial<Record<ImageFormat, string>> = { avif: 'avif', heif: 'heic' };
/** Major brands by which libvips recognizes a HEIF file. */
const known = ['avif', 'heic', 'heix', 'heim', 'heis', 'mif1'];

/**
 * The decoder input for the image at `path`: the file itself, or a copy of a HEIF file that is
 * reduced to the still image. Otherwise, decoders would read all tables of its tracks, or reject it
 * because of its major brand.
 */
export async function decoderInput(path: string, format: ImageFormat): Promise<string | Buffer> {
  const brand = brandOf[format];
  if (brand === undefined) return path;
  const file = await open(path);
  try {
    const bytes = new FileBytes(file.fd, (await file.stat()).size);
    const boxes = boxesIn(bytes, 0, bytes.size);
    const tracks = boxes.filter(({ type }) => type === 'moov');
    const major = bytes.at(majorBrandAt, brand.length)?.toString('latin1') ?? '';
    if (tracks.length === 0 && known.includes(major)) return path;
    const still = await readFile(path);
    still.write(brand, majorBrandAt, 'latin1');
    const brandsEnd = boxes[0]?.end ?? 0;
    for (let at = otherBrandsAt; at < brandsEnd; at += brand.length) {
      still.write('mif1', at, 'latin1');
    }
    for (const { at } of tracks) still.write('free', at + typeAt, 'latin1');
    return still;
  } finally {
    await file.close();
  }
}
