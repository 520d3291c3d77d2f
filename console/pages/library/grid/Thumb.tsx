import { useEffect, useRef } from 'preact/hooks';
import type { Image } from '../listing';
import { placeholderOf } from './placeholder';

interface ThumbProps {
  readonly image: Image;
  /** It has not come; its URL may have expired. */
  readonly onError: () => void;
}

/** A thumbnail, of which a few colours are seen until it has come. */
export function Thumb({ image, onError }: ThumbProps) {
  const picture = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const shown = picture.current;
    // What is scrolled past before it has come is asked for no longer.
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
        // Browsers would draw a sign of their own.
        currentTarget.style.visibility = 'hidden';
        onError();
      }}
    />
  );
}
