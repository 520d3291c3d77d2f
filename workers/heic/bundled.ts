import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fitted, inSrgb, type Sizes, toPixels } from '../decode.js';
import type { Header } from '../header.js';
import { sharp } from '../libvips.js';
import type { Pixels, Side } from '../pixels.js';
import { Refused } from '../refused.js';
import type { Source } from '../source.js';

declare const contextBrand: unique symbol;
declare const handleBrand: unique symbol;
type Context = number & { [contextBrand]: true };
interface Handle {
  readonly [handleBrand]: true;
}

/** What libheif returns in place of a result. */
interface Failure {
  readonly code: unknown;
  readonly message?: string;
}

interface Decoded {
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
const libheif = createRequire(import.meta.url)('libheif-js/wasm-bundle.js') as LibHeif;

const corrupt = (what: string): Refused => new Refused('corrupt_image', `libheif: ${what}`);

function primaryImage(context: Context, file: Buffer): Handle {
  const parsed = libheif.heif_context_read_from_memory(context, file);
  if (parsed.code !== libheif.heif_error_code.heif_error_Ok)
    throw corrupt(parsed.message ?? 'parse');
  const handle = libheif.heif_js_context_get_primary_image_handle(context);
  if ('code' in handle) throw corrupt(handle.message ?? 'no primary image');
  return handle;
}

/** Packs the rows in place, so that no second copy of a large image is needed. */
function withoutPadding(data: Uint8Array, rowBytes: number, rows: number, stride: number): Buffer {
  for (let y = 1; stride !== rowBytes && y < rows; y++) {
    data.copyWithin(y * rowBytes, y * stride, y * stride + rowBytes);
  }
  return Buffer.from(data.buffer, data.byteOffset, rowBytes * rows);
}

async function decodeHandle(handle: Handle, side: Side): Promise<Pixels> {
  const { heif_chroma, heif_colorspace } = libheif;
  const alpha = libheif.heif_image_handle_has_alpha_channel(handle) !== 0;
  const chroma = alpha
    ? heif_chroma.heif_chroma_interleaved_RGBA
    : heif_chroma.heif_chroma_interleaved_RGB;
  const decoded = libheif.heif_js_decode_image2(
    handle,
    heif_colorspace.heif_colorspace_RGB,
    chroma,
  );
  if (!('channels' in decoded)) throw corrupt(decoded.message ?? 'decode');
  const plane = decoded.channels[0];
  if (!plane) throw corrupt('no pixels');
  const channels = alpha ? 4 : 3;
  const { width, height, stride } = plane;
  try {
    const data = withoutPadding(plane.data, width * channels, height, stride);
    const whole = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
    return await toPixels(fitted(whole, side));
  } finally {
    libheif.heif_image_release(decoded.image);
  }
}

/**
 * Decodes the primary image of a HEIC file. libheif applies rotation and mirroring; the EXIF
 * orientation, which duplicates them, is ignored.
 *
 * @throws Refused `corrupt_image`, `image_too_large`.
 */
export async function decodeHeic(
  source: Source,
  header: Header,
  { maxPixels, side }: Sizes,
): Promise<Pixels> {
  const context = libheif.heif_context_alloc();
  let handle: Handle | undefined;
  try {
    handle = primaryImage(context, typeof source === 'string' ? await readFile(source) : source);
    const width = libheif.heif_image_handle_get_width(handle);
    const height = libheif.heif_image_handle_get_height(handle);
    if (width * height > maxPixels) throw new Refused('image_too_large', `${width} x ${height}`);
    return await inSrgb(await decodeHandle(handle, side), header);
  } finally {
    if (handle) libheif.heif_image_handle_release(handle);
    libheif.heif_context_free(context);
  }
}
