import type { RawImage } from '../src/imaging/native-libheif.js';
import { toPixels } from './decode.js';
import { sharp } from './libvips.js';
import type { Pixels } from './pixels.js';
import { withProfile } from './with-profile.js';

/** Packs the rows in place, so that no second copy of a large image is needed. */
function withoutPadding({ data, width, height, channels, stride }: RawImage): Buffer {
  const rowBytes = width * channels;
  for (let y = 1; stride !== rowBytes && y < height; y++) {
    data.copyWithin(y * rowBytes, y * stride, y * stride + rowBytes);
  }
  return data.subarray(0, rowBytes * height);
}

/** Fits what libheif decoded into the display square; its color profile comes from the header. */
export async function fitRaw(image: RawImage, icc: Buffer | undefined): Promise<Pixels> {
  const { width, height, channels } = image;
  const pixels = await toPixels(
    sharp(withoutPadding(image), { raw: { width, height, channels }, limitInputPixels: false }),
  );
  return icc ? await toPixels(sharp(withProfile(pixels, icc))) : pixels;
}
