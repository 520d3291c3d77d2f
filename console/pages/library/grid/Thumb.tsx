import { useEffect, useRef } from 'preact/hooks';
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

interface ThumbProps {
  readonly image: Image;
  /** It failed to load; its URL may have expired. */
  readonly onError: () => void;
}

/** A thumbnail, with a few of its colors until it has loaded. */
export function Thumb({ image, onError }: ThumbProps) {
  const picture = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const shown = picture.current;
    // Cancels loading if it is scrolled past before.
    return () => shown?.removeAttribute('src');
  }, []);
  const background = placeholderOf(image);
  return (
    <img
      ref={picture}
      src={image.thumb_url}
      alt=""
      decoding="async"
      draggable={false}
      style={background ? { backgroundImage: background } : undefined}
      onLoad={({ currentTarget }) => (currentTarget.style.visibility = '')}
      onError={({ currentTarget }) => {
        // Otherwise browsers would draw their icon for broken images.
        currentTarget.style.visibility = 'hidden';
        onError();
      }}
    />
  );
}
