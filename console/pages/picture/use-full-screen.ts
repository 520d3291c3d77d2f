import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export interface FullScreen {
  readonly isFull: boolean;
  /** Undefined where there is none, such as on iPhones. */
  readonly toggle: (() => void) | undefined;
}

export function useFullScreen(element: RefObject<HTMLElement | null>): FullScreen {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const follow = (): void => setFull(document.fullscreenElement === element.current);
    document.addEventListener('fullscreenchange', follow);
    return () => document.removeEventListener('fullscreenchange', follow);
  }, []);
  const toggle = (): void => {
    // A browser may refuse it, for example without a gesture of the reader: nothing changes then.
    if (isFull) void document.exitFullscreen().catch(() => undefined);
    else void element.current?.requestFullscreen().catch(() => undefined);
  };
  return { isFull, toggle: document.fullscreenEnabled ? toggle : undefined };
}
