import type { CameraData, ProcessedImage, ImageFormat } from './port.js';

/** Settings passed to a thread or process that reads images when it starts. */
export interface ProcessSettings {
  readonly maxPixels: number;
  /** `auto`: the machine's FFmpeg if there is one; `bundled`: always the WASM decoder. */
  readonly heifDecoder: HeifDecoder;
}

export type HeifDecoder = 'auto' | 'bundled';

/** `heic` images need an HEVC decoder, which has its own thread and takes much memory. */
export type Pool = 'common' | 'heic';

/** The result of inspecting a file's structure, before any decoder sees it. */
export interface Inspection {
  readonly format: ImageFormat;
  /** Stored pixels, before EXIF orientation. */
  readonly width: number;
  readonly height: number;
  /** The decoder responsible. */
  readonly pool: Pool;
  /** Estimated maximum memory in bytes for decoding it and making its renditions. */
  readonly memoryBytes: number;
}

export type RefusalCode =
  'unsupported_image' | 'image_too_large' | 'image_too_complex' | 'corrupt_image';

/** An image that is rejected; `reason` is only logged. */
export interface Refusal {
  readonly kind: 'refused';
  readonly code: RefusalCode;
  readonly reason: string;
}

/** Not the image's fault: a full disk, a missing file. */
export interface Failure {
  readonly kind: 'failed';
  readonly reason: string;
}

export type InspectionOutcome =
  | { readonly kind: 'inspected'; readonly inspection: Inspection }
  /** It took too long: worth one more attempt. */
  | { readonly kind: 'stalled'; readonly reason: string }
  | Refusal
  | Failure;

/** What an image is read for; `full` is the whole picture. Nothing is decoded for `metadata`. */
export type Wanted = 'renditions' | 'full' | 'metadata';

/** A job for an imaging process, which works on one image at a time. */
export interface ImagingJob {
  readonly wanted: Wanted;
  /** Of the square that a whole picture is fitted into, in pixels; undefined: it keeps its size. */
  readonly side?: number | undefined;
  readonly pool: Pool;
  /** Name in the working directory of the process. */
  readonly path: string;
  readonly format: ImageFormat;
  /** Whether a process has died while working on it. */
  readonly isRetry: boolean;
}

/** An encoded image, as sent from the imaging process to the service, which writes it to disk. */
export interface Rendition {
  readonly extension: string;
  readonly data: Uint8Array;
}

export interface DecodedImage extends Omit<ProcessedImage, 'display' | 'thumb'> {
  readonly display?: Rendition;
  readonly thumb: Rendition;
}

/** The outcome for an image, reported by the thread that worked on it. */
export type DecodeOutcome =
  | { readonly kind: 'done'; readonly image: DecodedImage }
  /** The whole picture, whose bytes have been sent in pieces. */
  | { readonly kind: 'sent'; readonly extension: string }
  | { readonly kind: 'read'; readonly metadata: CameraData }
  /** The thread or process died of the image: worth one more attempt. */
  | { readonly kind: 'lost'; readonly reason: string }
  | Refusal
  | Failure;

/** The outcome as the thread returns it: with the whole picture, if that is wanted. */
export type TaskOutcome =
  | Exclude<DecodeOutcome, { readonly kind: 'sent' }>
  | { readonly kind: 'encoded'; readonly full: Rendition };

/** Message to an imaging process. */
export type ServiceMessage =
  | { readonly kind: 'job'; readonly job: ImagingJob }
  /** The last piece has been taken. */
  | { readonly kind: 'taken' };

/** Message from an imaging process. */
export type ProcessMessage =
  | { readonly kind: 'ready' }
  /** The next bytes of a whole picture, which may be too large for one message. */
  | { readonly kind: 'piece'; readonly data: Uint8Array }
  | { readonly kind: 'outcome'; readonly outcome: DecodeOutcome };
