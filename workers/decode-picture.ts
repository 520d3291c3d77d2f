import { readFile } from 'node:fs/promises';
import type { ImageFormat } from '../src/imaging/port.js';
import { gif } from './incomplete/gif.js';
import { isobmff } from './incomplete/isobmff.js';
import { jpeg } from './incomplete/jpeg.js';
import { png } from './incomplete/png.js';
import type { Opened, Salvager } from './incomplete/salvage.js';
import { tiff } from './incomplete/tiff.js';
import { webp } from './incomplete/webp.js';
import { type Header, readHeader } from './header.js';
import { type Pixels, upright } from './pixels.js';
import { isCorrupt, Refused } from './refused.js';
import { type Source, withBytes } from './source.js';
import { asMeant } from './as-meant.js';
import { boxesIn } from './inspect/isobmff.js';
import type { FailOn } from './decode.js';

export type Decoder = (source: Source, header: Header, failOn: FailOn) => Promise<Pixels>;

export interface DecodedPicture extends Opened {
  readonly incomplete: boolean;
}

/** Maximum missing fraction of the rows; beyond that, an image is corrupt. */
const maxMissing = 0.5;

const salvagers: Record<ImageFormat, Salvager> = {
  jpeg,
  png,
  gif,
  webp,
  tiff,
  avif: isobmff,
  heif: isobmff,
};

interface DecodeRequest {
  /** As reported by the inspection. */
  readonly format: ImageFormat;
  readonly decode: Decoder;
  readonly maxPixels: number;
}

/**
 * Reads and decodes an image. If that fails, or if the end of the file is not as expected,
 * determines how much of the image is available (docs/adr/0009).
 *
 * @throws Refused for anything that is not an image, or less than half of one.
 */
export async function decodePicture(
  path: string,
  { format, decode, maxPixels }: DecodeRequest,
): Promise<DecodedPicture> {
  const salvager = salvagers[format];
  const open = async (source: Source, failOn: FailOn): Promise<Opened> => {
    const header = await readHeader(source, { format, maxPixels });
    const decoded = await decode(source, header, failOn);
    return { header, pixels: upright(asMeant(source, header, decoded), header.orientation) };
  };
  let failure = new Refused('corrupt_image', 'it is truncated');
  let opened: Opened | undefined;
  try {
    opened = await open(await decoderInput(path, format), salvager.strictness ?? 'error');
    if (!(await salvager.isTruncated(path, opened))) return { ...opened, incomplete: false };
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    failure = error;
  }
  const salvaged = await salvager.salvage(path, (source) => open(source, 'none'), opened);
  if (!salvaged) throw failure;
  const { header, pixels, missing, incomplete = true } = salvaged;
  if (!(missing <= maxMissing)) {
    throw new Refused('corrupt_image', `${Math.round(missing * 100)}% missing: ${failure.message}`);
  }
  return { header, pixels, incomplete };
}

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
async function decoderInput(path: string, format: ImageFormat): Promise<string | Buffer> {
  const brand = brandOf[format];
  if (brand === undefined) return path;
  const { boxes, major = '' } = withBytes(path, (bytes) => ({
    boxes: boxesIn(bytes, 0, bytes.size),
    major: bytes.at(majorBrandAt, brand.length)?.toString('latin1'),
  }));
  const tracks = boxes.filter(({ type }) => type === 'moov');
  if (tracks.length === 0 && known.includes(major)) return path;
  const still = await readFile(path);
  still.write(brand, majorBrandAt, 'latin1');
  const brandsEnd = boxes[0]?.end ?? 0;
  for (let at = otherBrandsAt; at < brandsEnd; at += brand.length)
    still.write('mif1', at, 'latin1');
  for (const { at } of tracks) still.write('free', at + typeAt, 'latin1');
  return still;
}
