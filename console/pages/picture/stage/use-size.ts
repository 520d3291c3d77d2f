import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Box } from './zoom';

/** The size of an element, which is measured before it is first painted. */
export function useSize(node: RefObject<HTMLElement | null>): Box {
  const [size, setSize] = useState<Box>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const measured = node.current;
    if (!measured) return undefined;
    const measure = (): void =>
      setSize({ width: measured.clientWidth, height: measured.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, []);
  return size;
}
