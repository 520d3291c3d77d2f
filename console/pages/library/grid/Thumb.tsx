import { useEffect, useRef } from 'preact/hooks';
import type { Image } from '../listing';
import { placeholderOf } from './placeholder';

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
