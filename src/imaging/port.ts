/** `image_resource_type` of the interface. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif' | 'heif';

/** `image_type` of the interface: the file name extension of each format. */
export const extensionOf: Record<ImageFormat, string> = {
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  tiff: 'tif',
  avif: 'avif',
  heif: 'heic',
};

/** A picture made from the uploaded one; the file belongs to the caller. */
export interface DerivedImage {
  readonly path: string;
  readonly extension: string;
  readonly bytes: number;
}

/** What the imaging process found out about a file, and what it made of it. */
export interface ImageFacts {
  readonly format: ImageFormat;
  /** Pixels, after EXIF orientation. */
  readonly width: number;
  readonly height: number;
  /** True when the last part of the picture is missing. */
  readonly incomplete: boolean;
  /** WGS 84 degrees from EXIF GPS. */
  readonly place?: { readonly latitude: number; readonly longitude: number };
  /** When EXIF says it was taken: wall time `YYYYMMDD_HHMMSS`, with its UTC offset where EXIF has one. */
  readonly taken?: { readonly wallTime: string; readonly offsetMinutes?: number };
  /** The display rendition; absent where the uploaded bytes serve as they are. */
  readonly display?: DerivedImage;
  /** Fits inside 256 × 256. */
  readonly thumb: DerivedImage;
  /** ThumbHash placeholder, about 25 bytes. */
  readonly thumbhash: Uint8Array;
}

/** A file that may be a picture, in a folder of its own. */
export interface PictureFile {
  readonly path: string;
  /** SHA-256 of its bytes. */
  readonly hash: Buffer;
}

export interface Imaging {
  /**
   * Reads an image file and writes its rendition and thumbnail beside it (`<path>.display.<ext>`,
   * `<path>.thumb.<ext>`). Turns are fair by user.
   *
   * @throws ServiceError `unsupported_image`, `image_too_large`, `image_too_complex`, `corrupt_image`;
   *   `unavailable` when it waited too long, the queue is full or no process can be had.
   */
  process(file: PictureFile, userId: string): Promise<ImageFacts>;
  /** True when imaging processes run and take work. */
  ready(): boolean;
  /** Waits for the work under way, at most `graceMs`, then ends the processes. */
  close(graceMs?: number): Promise<void>;
}
