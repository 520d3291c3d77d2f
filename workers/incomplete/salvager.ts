import type { Header } from '../header.js';
import type { Pixels } from '../pixels.js';
import type { Source } from '../source.js';

export interface Opened {
  readonly header: Header;
  readonly pixels: Pixels;
}

export interface Salvaged extends Opened {
  /** The part of the picture that is not there, 0 to 1. */
  readonly missing: number;
}

/** Reads header and pixels, taking no offence at missing data. */
export type Open = (source: Source) => Promise<Opened>;

/** What is to be known of a format to make the best of a file that was cut. */
export interface Salvager {
  /** Whether the file of a picture that decoded without complaint is cut all the same. */
  breaksOff(path: string, opened: Opened): Promise<boolean>;
  /**
   * Decodes what there is of a picture.
   * @returns undefined when it is not for missing data that the picture cannot be decoded.
   */
  salvage(path: string, open: Open): Promise<Salvaged | undefined>;
}
