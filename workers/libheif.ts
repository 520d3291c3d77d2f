import { createRequire } from 'node:module';

declare const contextBrand: unique symbol;
declare const handleBrand: unique symbol;
export type Context = number & { [contextBrand]: true };
export interface Handle {
  readonly [handleBrand]: true;
}

/** What libheif returns in place of a result. */
export interface Failure {
  readonly code: unknown;
  readonly message?: string;
}

export interface Decoded {
  readonly image: object;
  readonly channels: readonly {
    readonly width: number;
    readonly height: number;
    /** Bytes from one row to the next, padding included. */
    readonly stride: number;
    /** A view into libheif's memory: invalid once the image is released. */
    readonly data: Uint8Array;
  }[];
}

/**
 * The few functions of libheif-js that are used here; its own types leave these results untyped.
 */
interface LibHeif {
  readonly heif_error_code: { readonly heif_error_Ok: unknown };
  readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown };
  readonly heif_chroma: {
    readonly heif_chroma_interleaved_RGB: unknown;
    readonly heif_chroma_interleaved_RGBA: unknown;
  };
  heif_context_alloc(): Context;
  heif_context_free(context: Context): void;
  heif_context_read_from_memory(context: Context, file: Uint8Array): Failure;
  heif_js_context_get_primary_image_handle(context: Context): Handle | Failure;
  heif_image_handle_get_width(handle: Handle): number;
  heif_image_handle_get_height(handle: Handle): number;
  heif_image_handle_has_alpha_channel(handle: Handle): number;
  heif_js_decode_image2(handle: Handle, colorspace: unknown, chroma: unknown): Decoded | Failure;
  heif_image_release(image: object): void;
  heif_image_handle_release(handle: Handle): void;
}

// CommonJS with embedded WASM; compiled when loaded.
export const libheif = createRequire(import.meta.url)('libheif-js/wasm-bundle.js') as LibHeif;
