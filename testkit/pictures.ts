import { randomFillSync } from 'node:crypto';
import sharp from 'sharp';
import type { Sharp } from 'sharp';

export interface PictureOptions {
  readonly width?: number;
  readonly height?: number;
  /** Decimal degrees, written as EXIF GPS. */
  readonly place?: { readonly latitude: number; readonly longitude: number };
  /** Makes images of the same size differ. */
  readonly seed?: number;
}

/** A JPEG with a gradient, and with EXIF GPS if a location is given. */
export async function jpeg(options: PictureOptions = {}): Promise<Buffer> {
  const { width = 320, height = 240, place, seed = 0 } = options;
  const pixels = Buffer.alloc(width * height * 3);
  for (let i = 0; i < pixels.length; i += 3) {
    pixels[i] = (i + seed * 37) % 256;
    pixels[i + 1] = (Math.floor(i / width) + (seed >> 8) * 29) % 256;
    pixels[i + 2] = (seed * 91) % 256;
  }
  const image = sharp(pixels, { raw: { width, height, channels: 3 } }).jpeg({ quality: 85 });
  return (
    place ? image.withExif({ IFD3: gps(place.latitude, place.longitude) }) : image
  ).toBuffer();
}

const gps = (latitude: number, longitude: number): Record<string, string> => ({
  GPSLatitudeRef: latitude < 0 ? 'S' : 'N',
  GPSLatitude: degrees(Math.abs(latitude)),
  GPSLongitudeRef: longitude < 0 ? 'W' : 'E',
  GPSLongitude: degrees(Math.abs(longitude)),
});

/** EXIF rationals: degrees, minutes, and ten-thousandths of seconds. */
function degrees(value: number): string {
  const whole = Math.floor(value);
  const minutes = Math.floor((value - whole) * 60);
  const seconds = Math.round(((value - whole) * 60 - minutes) * 60 * 10_000);
  return `${whole}/1 ${minutes}/1 ${seconds}/10000`;
}

/** An image as the file part of a form. */
export const filePart = (bytes: Uint8Array): Blob => new Blob([Uint8Array.from(bytes)]);

/** The same with a name of its own. */
export const namedPart = (bytes: Uint8Array, name: string): File =>
  new File([Uint8Array.from(bytes)], name);

/** A square PNG that does not compress: the file has three bytes per pixel. */
export const noise = (side: number): Promise<Buffer> =>
  sharp(randomFillSync(Buffer.alloc(side * side * 3)), {
    raw: { width: side, height: side, channels: 3 },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();

/** A color image, optionally with a transparent half, to be encoded in any format. */
export function canvas(width: number, height: number, alpha = false): Sharp {
  const channels = alpha ? 4 : 3;
  const pixels = Buffer.alloc(width * height * channels);
  for (let at = 0; at < width * height; at += 1) {
    const place = at * channels;
    pixels[place] = (at % width) % 256;
    pixels[place + 1] = Math.floor(at / width) % 256;
    pixels[place + 2] = 90;
    if (alpha) pixels[place + 3] = at % width < width / 2 ? 0 : 255;
  }
  return sharp(pixels, { raw: { width, height, channels } });
}
