import type { ImageFormat } from '../src/imaging/port.js';
import { gif } from './incomplete/gif.js';
import { isobmff } from './incomplete/isobmff.js';
import { jpeg } from './incomplete/jpeg.js';
import { png } from './incomplete/png.js';
import type { Opened, Salvager } from './incomplete/salvager.js';
import { tiff } from './incomplete/tiff.js';
import { webp } from './incomplete/webp.js';
import { type Header, readHeader } from './header.js';
import { withFullRange } from './limited-range.js';
import { type Pixels, upright } from './pixels.js';
import { isCorrupt, Refused } from './refused.js';
import type { Source } from './source.js';
import type { FailOn } from './decode.js';
import { decoderInput } from './decoder-input.js';

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

export interface DecodeRequest {
  /** As reported by the inspection. */
  readonly format: ImageFormat;
  readonly decode: Decoder;
  readonly maxPixels: number;
}

/**
 * Reads and decodes an image. If that fails, or if the end of the file is not as expected,
 * determines how much of the image is available (docs/adr/0015).
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
    const pixels = upright(await decode(source, header, failOn), header.orientation);
    const isBoxed = salvager === isobmff;
    return { header, pixels: isBoxed ? await withFullRange(source, pixels) : pixels };
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
