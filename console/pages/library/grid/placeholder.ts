import { thumbHashToDataURL } from 'thumbhash';
import type { Image } from '../listing';

const made = new WeakMap<Image, string>();

/** A few colors of an image, as a background; none if its record has none. */
export function placeholderOf(image: Image): string | undefined {
  if (!image.thumbhash) return undefined;
  const known = made.get(image);
  if (known !== undefined) return known;
  const bytes = Uint8Array.from(atob(image.thumbhash), (sign) => sign.charCodeAt(0));
  const url = `url(${thumbHashToDataURL(bytes)})`;
  made.set(image, url);
  return url;
}
