import type { FailOn } from '../decode.js';
import type { Header } from '../header.js';
import type { Pixels } from '../pixels.js';
import { Refused } from '../refused.js';
import type { Source } from '../source.js';

export interface Opened {
  readonly header: Header;
  readonly pixels: Pixels;
}

export interface Salvaged extends Opened {
  /** The missing fraction of the image, 0 to 1. */
  readonly missing: number;
  /** Default: true. */
  readonly incomplete?: boolean;
}

/** Reads header and pixels, tolerating missing data. */
export type Open = (source: Source) => Promise<Opened>;

/** Salvages truncated files of one format. */
export interface Salvager {
  /** The least at which decoding ends and salvaging begins; default: `error`. */
  readonly strictness?: FailOn;
  /** Whether a file is truncated although its image decoded without complaint. */
  isTruncated(path: string, opened: Opened): Promise<boolean>;
  /**
   * Decodes what is available of an image.
   *
   * @param opened the image, if it decoded without complaint
   * @returns undefined if missing data is not the reason why the image cannot be decoded.
   */
  salvage(path: string, open: Open, opened: Opened | undefined): Promise<Salvaged | undefined>;
}

/** Fills in the missing part of a file, so that a decoder accepts it. */
export type Filling = (length: number) => Buffer;

const zeros: Filling = (length) => Buffer.alloc(length);

/** Pseudorandom but deterministic bytes, without 0xFF, which begins markers. */
const shuffled: Filling = (length) => {
  const bytes = Buffer.alloc(length);
  let state = 12_345;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    bytes[i] = (state >> 16) & 0xfe;
  }
  return bytes;
};

/** Rows or columns, counted from one side of the image. */
interface Side {
  readonly lines: number;
  readonly lineOf: (pixel: number) => number;
}

const sidesOf = ({ width, height }: Pixels): readonly [Side, ...Side[]] => [
  { lines: height, lineOf: (pixel) => Math.floor(pixel / width) },
  { lines: height, lineOf: (pixel) => height - 1 - Math.floor(pixel / width) },
  { lines: width, lineOf: (pixel) => pixel % width },
  { lines: width, lineOf: (pixel) => width - 1 - (pixel % width) },
];

/** The side with the first line, by EXIF orientation. */
const firstSides = [0, 0, 1, 1, 2, 3, 3, 2] as const;

/** Calls `found` for every pixel that differs. */
function eachUnsound(a: Pixels, b: Pixels, found: (pixel: number) => void): void {
  for (let pixel = 0, at = 0; at < a.data.length; pixel++, at += a.channels) {
    if (a.data.compare(b.data, at, at + a.channels, at, at + a.channels)) found(pixel);
  }
}

/**
 * Decodes a truncated file twice, with its missing end filled in two ways: lines that are the same
 * both times do not depend on the missing data. Everything from the first differing line on is
 * guessed by the decoder, and is painted grey. The image may be rotated, so its first line may be
 * on any side.
 *
 * @param orientationOf by EXIF, where it is known; required unless the filling affects all that is
 *   missing
 */
export async function twoFillings(
  fill: (filling: Filling) => Source,
  open: Open,
  orientationOf?: (header: Header) => number,
): Promise<Salvaged> {
  const { header, pixels } = await open(fill(zeros));
  const { pixels: other } = await open(fill(shuffled));
  if (pixels.data.length !== other.data.length || pixels.width !== other.width) {
    throw new Refused('corrupt_image', 'its size depends on what is missing');
  }
  const all = sidesOf(pixels);
  const side = orientationOf && all[firstSides[orientationOf(header) - 1] ?? 0];
  const sides = side ? [side] : all;
  const sound = sides.map(({ lines }) => lines);
  eachUnsound(pixels, other, (pixel) =>
    sides.forEach(({ lineOf }, i) => {
      sound[i] = Math.min(sound[i] ?? 0, lineOf(pixel));
    }),
  );
  const parts = sides.map(({ lines }, i) => (sound[i] ?? 0) / lines);
  const best = parts.indexOf(Math.max(...parts));
  const { lineOf } = sides[best] ?? all[0];
  paint(pixels, (pixel) => lineOf(pixel) >= (sound[best] ?? 0));
  return { header, pixels, missing: 1 - (parts[best] ?? 0) };
}

const grey = 128;

/** Paints missing parts grey. */
export function paint({ data, channels }: Pixels, isMissing: (pixel: number) => boolean): void {
  for (let at = 0, pixel = 0; at < data.length; at += channels, pixel++) {
    if (!isMissing(pixel)) continue;
    data.fill(grey, at, at + 3);
    if (channels === 4) data[at + 3] = 255;
  }
}
