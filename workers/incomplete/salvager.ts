import type { FailOn } from '../decode.js';
import type { Header } from '../header.js';
import type { Pixels } from '../pixels.js';
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
