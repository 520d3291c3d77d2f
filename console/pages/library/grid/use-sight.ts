import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { Sight } from './geometry';

interface Seen extends Sight {
  readonly width: number;
}

/** The visible part of a scrolled element, updated at most once per frame. */
export function useSight(): { area: RefObject<HTMLDivElement | null>; seen: Seen } {
  const area = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<Seen>({ top: 0, height: 0, width: 0 });
  useEffect(() => {
    const node = area.current;
    if (!node) return undefined;
    let frame = 0;
    const measure = (): void => {
      frame = 0;
      const { scrollTop: top, clientHeight: height, clientWidth: width } = node;
      setSeen((was) =>
        was.top === top && was.height === height && was.width === width
          ? was
          : { top, height, width },
      );
    };
    const soon = (): void => {
      frame ||= requestAnimationFrame(measure);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    node.addEventListener('scroll', soon, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      node.removeEventListener('scroll', soon);
    };
  }, []);
  return { area, seen };
}
