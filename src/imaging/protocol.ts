import type { ImageFacts, ImageFormat } from './port.js';

/** What the imaging process is told when it starts, as JSON in its first argument. */
export interface ProcessSettings {
  readonly threads: number;
  readonly maxPixels: number;
  /** Whole seconds after which a decoder gives up by itself. */
  readonly softLimitSeconds: number;
}

/** `heic` pictures need the WASM decoder, which has one thread and much memory of its own. */
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

/** To the imaging process: a picture to work on. */
export interface Job {
  readonly id: number;
  readonly lane: Lane;
  readonly path: string;
}

export type RefusalCode =
  'unsupported_image' | 'image_too_large' | 'image_too_complex' | 'corrupt_image';

/** What became of a picture, told by the thread that worked on it. */
export type Outcome =
  | { readonly kind: 'done'; readonly facts: ImageFacts }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly reason: string }
  /** The picture must be sent again, in the heic lane. */
  | { readonly kind: 'heic' }
  /** Given up at the soft limit, or the thread died: worth one more attempt, alone. */
  | { readonly kind: 'lost'; readonly reason: string }
  /** Not the picture's fault: a full disk, a missing file. */
  | { readonly kind: 'failed'; readonly reason: string };

/** From the imaging process. */
export type ProcessMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'outcome'; readonly id: number; readonly outcome: Outcome };
