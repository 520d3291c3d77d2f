import type { ImageFacts, ImageFormat } from './port.js';

/** What a thread or process that looks at pictures is told when it starts. */
export interface ProcessSettings {
  readonly maxPixels: number;
}

/** `heic` pictures need the WASM decoder, which has a thread and much memory of its own. */
export type Lane = 'common' | 'heic';

/** What a bounded look at a file's structure tells before any decoder sees it. */
export interface Survey {
  readonly format: ImageFormat;
  /** Stored pixels, before EXIF orientation. */
  readonly width: number;
  readonly height: number;
  /** Whose decoder takes it. */
  readonly lane: Lane;
  /** Bytes of memory that decoding it and making its renditions take at most, estimated. */
  readonly memoryBytes: number;
}

export type RefusalCode =
  'unsupported_image' | 'image_too_large' | 'image_too_complex' | 'corrupt_image';

/** A picture that is not accepted; `reason` goes to the log only. */
export interface Refusal {
  readonly kind: 'refused';
  readonly code: RefusalCode;
  readonly reason: string;
}

/** Not the picture's fault: a full disk, a missing file. */
export interface Failure {
  readonly kind: 'failed';
  readonly reason: string;
}

export type SurveyOutcome =
  { readonly kind: 'surveyed'; readonly survey: Survey } | Refusal | Failure;

/** To an imaging process, which works on one picture at a time. */
export interface Job {
  readonly lane: Lane;
  /** Relative to the folder of pictures, which is the working directory of the process. */
  readonly path: string;
  readonly format: ImageFormat;
}

/** An encoded picture, as it goes from the imaging process to the service, which writes it. */
export interface Rendition {
  readonly extension: string;
  readonly data: Uint8Array;
}

export interface DecodedImage extends Omit<ImageFacts, 'display' | 'thumb'> {
  readonly display?: Rendition;
  readonly thumb: Rendition;
}

/** What became of a picture, told by the thread that worked on it. */
export type Outcome =
  | { readonly kind: 'done'; readonly image: DecodedImage }
  /** The thread or the process died of it: worth one more attempt. */
  | { readonly kind: 'lost'; readonly reason: string }
  | Refusal
  | Failure;

/** From an imaging process. */
export type ProcessMessage =
  { readonly kind: 'ready' } | { readonly kind: 'outcome'; readonly outcome: Outcome };
