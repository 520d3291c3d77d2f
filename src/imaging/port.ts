/** `image_resource_type` in the API. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif' | 'heif';

/** `image_type` in the API: the filename extension of each format. */
export const extensionOf: Record<ImageFormat, string> = {
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  tiff: 'tif',
  avif: 'avif',
  heif: 'heic',
};

/** Formats that every browser shows, so that the stored bytes need no copy. */
export const shownByBrowsers: ReadonlySet<string> = new Set<ImageFormat>([
  'jpeg',
  'png',
  'webp',
  'gif',
  'avif',
]);

/** Side of the square that display renditions fit into, in pixels. */
export const displaySide = 1024;

/** An image made from the uploaded one; the file belongs to the caller. */
export interface DerivedImage {
  readonly path: string;
  readonly extension: string;
  readonly bytes: number;
}

/** The format of files with one of these extensions. */
export const formatOfExtension = (extension: string): ImageFormat | undefined =>
  (Object.keys(extensionOf) as ImageFormat[]).find((format) => extensionOf[format] === extension);

/** What the camera knew when the image was taken, from EXIF, else from XMP or IPTC. */
export interface CameraData {
  /** WGS 84 degrees. */
  readonly coordinates?: { readonly latitude: number; readonly longitude: number };
  /** When it was taken: local time `YYYYMMDD_HHMMSS`, with its UTC offset if the file tells. */
  readonly taken?: { readonly wallTime: string; readonly offsetMinutes?: number };
  /** Degrees from north, true or magnetic as the file has it: 0 to less than 360. */
  readonly direction?: number;
  /** Meters above sea level. */
  readonly altitude?: number;
  /** Meters by which the coordinates may be off, horizontally. */
  readonly accuracy?: number;
  /** Make and model. */
  readonly camera?: string;
}

/**
 * The properties of an image that the imaging process found, and what it derived from the image.
 */
export interface ProcessedImage extends CameraData {
  readonly format: ImageFormat;
  /** Pixels, after EXIF orientation. */
  readonly width: number;
  readonly height: number;
  /** True if the last part of the image is missing. */
  readonly incomplete: boolean;
  /** The display rendition; absent if the uploaded bytes can be displayed as they are. */
  readonly display?: DerivedImage;
  /** Fits inside 256 × 256. */
  readonly thumb: DerivedImage;
  /** ThumbHash placeholder, about 25 bytes. */
  readonly thumbhash: Uint8Array;
}

/** A PNG with four channels that does not compress at all, and what its chunks take besides. */
const bytesPerPixel = 4;
const overheadPart = 1 / 64;
const overheadBytes = 64 * 1024;

/** The most that a whole picture takes, in bytes. */
export const maxFullBytes = ({ width, height }: Pick<ProcessedImage, 'width' | 'height'>): number =>
  Math.ceil(width * height * bytesPerPixel * (1 + overheadPart)) + overheadBytes;

/** A file that may be an image, in a folder of its own. */
export interface PictureFile {
  readonly path: string;
  /** SHA-256 of its bytes. */
  readonly hash: Buffer;
}

export interface Imaging {
  /**
   * Reads an image file and writes its rendition and thumbnail next to it (`<path>.display.<ext>`,
   * `<path>.thumb.<ext>`). Turns are assigned fairly by user.
   *
   * @throws ServiceError `unsupported_image`, `image_too_large`, `image_too_complex`,
   *   `corrupt_image`; `unavailable` when it waited too long, the queue is full, or no process is
   *   available.
   */
  process(file: PictureFile, userId: string): Promise<ProcessedImage>;
  /**
   * Makes the whole picture of an image file as any browser shows it, next to it (`<path>.full`):
   * upright, in sRGB, without metadata; a JPEG, or a PNG if it is transparent. Takes turns with
   * `process`. @param side of the square that it is fitted into, in pixels: it is a JPEG then, what
   *   is transparent in it white; by default, it keeps its size. @throws ServiceError as `process` does.
   */
  full(file: PictureFile, userId: string, side?: number): Promise<DerivedImage>;
  /** True if imaging processes are running and accepting work. */
  ready(): boolean | Promise<boolean>;
  /** Waits for running work, at most `graceMs`, then kills the processes. */
  close(graceMs?: number): Promise<void>;
}

export interface MetadataReader {
  /**
   * Reads what the file of an image says of itself, without decoding it; nothing of a file that is
   * broken. Waits a while for images that are being processed.
   * @throws ServiceError `unavailable` when no process is available, or the disk fails.
   */
  readMetadata(path: string, format: ImageFormat): Promise<CameraData>;
}
