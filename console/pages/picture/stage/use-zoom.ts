import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { followPointers } from './pointers';
import type { Stroke, Swipe } from './pointers';
import { fit, moved, zoomed } from './zoom';
import type { Extent, Zoom } from './zoom';

/** Zoom factor of one step of a key or a button. */
export const step = 1.25;
/** How far an arrow key moves the picture, in pixels. */
const stride = 80;

export interface Zooming {
  readonly zoom: Zoom;
  /** How far a finger has pulled the picture towards the next one, in pixels. */
  readonly pull: number;
  readonly by: (factor: number) => void;
  readonly reset: () => void;
  /** Shows the pixels of the picture as they are. */
  readonly toReal: () => void;
  /** Between where it fits, and its pixels, around a point. */
  readonly toggle: (at: { readonly x: number; readonly y: number }) => void;
  /** @returns whether the picture handled the key. */
  readonly onKey: (key: string) => boolean;
}

const arrows: Readonly<Record<string, readonly [number, number] | undefined>> = {
  ArrowLeft: [stride, 0],
  ArrowRight: [-stride, 0],
  ArrowUp: [0, stride],
  ArrowDown: [0, -stride],
};

/**
 * Zooms and moves a picture: by wheel, by one pointer or two, by keys.
 * @param area the element whose pointers are followed.
 * @param id identifies the picture: another one begins as it fits.
 * @param stroke what one pointer does, if it does not move the picture.
 */
export function useZoom(
  area: RefObject<HTMLDivElement | null>,
  id: string,
  extent: Extent,
  onSwipe: (to: Swipe) => void,
  stroke?: Stroke,
): Zooming {
  const [zoom, setZoom] = useState<Zoom>(fit);
  const [pull, setPull] = useState(0);
  const latest = useRef({ extent, zoom, onSwipe, stroke });
  latest.current = { extent, zoom, onSwipe, stroke };
  const change = (next: (zoom: Zoom, extent: Extent) => Zoom): void =>
    setZoom((was) => next(was, latest.current.extent));
  useEffect(() => {
    const node = area.current;
    if (!node) return undefined;
    return followPointers(node, {
      change,
      onPull: setPull,
      onSwipe: (to) => latest.current.onSwipe(to),
      stroke: () => latest.current.stroke,
      isClose: () => latest.current.zoom.scale > 1,
    });
  }, []);
  useLayoutEffect(() => setZoom(fit), [id]);
  // The window, or the panel beside the picture, may have changed its size.
  const { width, height } = extent.frame;
  useEffect(() => change((was, now) => moved(was, 0, 0, now)), [width, height]);
  const by = (factor: number): void => change((was, now) => zoomed(was, factor, now));
  const toReal = (): void => change((was, now) => zoomed(was, now.real / was.scale, now));
  const toggle: Zooming['toggle'] = (at) =>
    change((was, now) => {
      // A picture with few pixels is enlarged instead.
      const close = now.real > 1.1 ? now.real : 2.5;
      return was.scale > 1 ? fit : zoomed(was, close / was.scale, now, at);
    });
  const onKey = (key: string): boolean => {
    const arrow = zoom.scale > 1 ? arrows[key] : undefined;
    if (arrow) change((was, now) => moved(was, arrow[0], arrow[1], now));
    else if (key === '+' || key === '=') by(step);
    else if (key === '-') by(1 / step);
    else if (key === '0') setZoom(fit);
    else if (key === '1') toReal();
    else return false;
    return true;
  };
  return { zoom, pull, by, reset: () => setZoom(fit), toReal, toggle, onKey };
}
