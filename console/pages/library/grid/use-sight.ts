import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { Sight } from './geometry';

interface Seen extends Sight {
  readonly width: number;
}

/** The part of an element that the window shows, updated at most once per frame. */
export function useSight(): {
  area: RefObject<HTMLDivElement | null>;
  seen: Seen;
  measure: () => void;
} {
  const area = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<Seen>({ top: 0, height: 0, width: 0 });
  const measure = (): void => {
    const node = area.current;
    if (!node) return;
    const next = {
      top: -node.getBoundingClientRect().top,
      height: innerHeight,
      width: node.clientWidth,
    };
    setSeen((was) =>
      was.top === next.top && was.height === next.height && was.width === next.width ? was : next,
    );
  };
  useEffect(() => {
    const node = area.current;
    if (!node) return undefined;
    let frame = 0;
    const soon = (): void => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        measure();
      });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    // What is above it moves it.
    observer.observe(document.body);
    addEventListener('scroll', soon, { passive: true });
    addEventListener('resize', soon);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      removeEventListener('scroll', soon);
      removeEventListener('resize', soon);
    };
  }, []);
  return { area, seen, measure };
}
