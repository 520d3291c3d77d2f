/** What decoders return otherwise than the file means it. */
import type { Header } from './header.js';
import { colourCodesIn, heifItems } from './inspect/isobmff.js';
import { firstFrameOf } from './incomplete/gif.js';
import { type Pixels, toRgb } from './pixels.js';
import { type FileBytes, type Source, withBytes } from './source.js';

/** Pixels as decoded, and turned upright by nothing but the decoder, as the file means them. */
export function asMeant(source: Source, header: Header, pixels: Pixels): Pixels {
  switch (header.format) {
    case 'avif':
    case 'heif':
      return withFullRange(source, divided(source, pixels));
    case 'gif':
      return withinFrame(source, header, pixels);
    case 'tiff':
      // What libtiff returns as it is stored has the full range, and the weights of BT.601.
      return header.samples.isYcc ? toRgb(pixels, { matrix: 6, fullRange: true }) : pixels;
    default:
      return pixels;
  }
}

/** Divides colors by alpha in place, where they were stored multiplied with it. */
function divided(source: Source, pixels: Pixels): Pixels {
  const { data, channels } = pixels;
  if (channels === 3) return pixels;
  const items = withBytes(source, heifItems);
  if (!items?.isPremultiplied(items.primary)) return pixels;
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 0;
    if (alpha === 0 || alpha === 255) continue;
    for (let i = at; i < at + 3; i++) {
      data[i] = Math.min(255, Math.round(((data[i] ?? 0) * 255) / alpha));
    }
  }
  return pixels;
}

/** The first frame of a GIF: nothing is around one that is smaller than the screen. */
function withinFrame(source: Source, screen: Header, pixels: Pixels): Pixels {
  const frame = withBytes(source, firstFrameOf);
  if (!frame || (frame.width >= screen.width && frame.height >= screen.height)) return pixels;
  const { width, height, channels } = pixels;
  const [across, down] = [width / screen.width, height / screen.height];
  const isIn = (at: number, from: number, size: number, scale: number): boolean =>
    at + 0.5 > from * scale && at + 0.5 < (from + size) * scale;
  const data = Buffer.alloc(width * height * 4);
  for (let y = 0, pixel = 0; y < height; y++) {
    const isRow = isIn(y, frame.top, frame.height, down);
    for (let x = 0; x < width; x++, pixel++) {
      if (!isRow || !isIn(x, frame.left, frame.width, across)) continue;
      pixels.data.copy(data, pixel * 4, pixel * channels, (pixel + 1) * channels);
      if (channels === 3) data[pixel * 4 + 3] = 255;
    }
  }
  return { ...pixels, data, channels: 4 };
}

/** Black and white in the limited range of eight bits. */
const black = 16;
const white = 235;

/** Whether everything in an AVIF or HEIC file is grey and coded in the limited range. */
function isLimitedGrey(bytes: FileBytes): boolean {
  const boxes = heifItems(bytes)?.properties ?? [];
  /** A byte of each box of a type. */
  const of = (type: string, at: number): number[] =>
    boxes.filter((box) => box.type === type).map(({ start }) => bytes.at(start + at, 1)?.[0] ?? 0);
  const [av1, hevc] = [of('av1C', 2), of('hvcC', 16)];
  return (
    av1.length + hevc.length > 0 &&
    av1.every((flags) => (flags & 0x10) !== 0) &&
    hevc.every((chroma) => (chroma & 3) === 0) &&
    boxes.some((box) => colourCodesIn(bytes, box)?.fullRange === false)
  );
}

/**
 * Expands greys that libheif returns as coded, from 16 to 235. For color images it does so itself.
 */
function withFullRange(source: Source, pixels: Pixels): Pixels {
  const { data, channels } = pixels;
  for (let at = 0; at < data.length; at += channels) {
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return pixels;
  }
  if (!withBytes(source, isLimitedGrey)) return pixels;
  const stretched = Uint8ClampedArray.from(
    { length: 256 },
    (_, value) => ((value - black) * 255) / (white - black),
  );
  for (let at = 0; at < data.length; at += channels) {
    data.fill(stretched[data[at] ?? 0] ?? 0, at, at + 3);
  }
  return pixels;
}
