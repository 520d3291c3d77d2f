import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { moved, whole, zoomed } from './zoom';
import type { Box, Zoom } from './zoom';

/** Zoom factor of one step of a wheel, a key or a button. */
export const step = 1.25;
/** How far an arrow key moves the picture, in pixels. */
const stride = 80;

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Zooming {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly zoom: Zoom;
  readonly by: (factor: number) => void;
  readonly reset: () => void;
  /** @returns whether the picture handled the key. */
  readonly onKey: (key: string) => boolean;
}

const boxOf = (node: HTMLElement | null): Box => ({
  width: node?.clientWidth ?? 0,
  height: node?.clientHeight ?? 0,
});

/** A position relative to the middle of an element. */
function pointIn(node: HTMLElement, { clientX, clientY }: MouseEvent): Point {
  const { left, top, width, height } = node.getBoundingClientRect();
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
}

/** Zooms and moves a picture: by wheel, by one pointer or two, by keys. */
export function useZoom(): Zooming {
  const frame = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState<Zoom>(whole);
  const change = (next: (zoom: Zoom, box: Box) => Zoom): void =>
    setZoom((was) => next(was, boxOf(frame.current)));
  useEffect(() => {
    const node = frame.current;
    return node ? followPointers(node, change) : undefined;
  }, []);
  const by = (factor: number): void => change((was, box) => zoomed(was, factor, box));
  const onKey = (key: string): boolean => {
    const arrows: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [stride, 0],
      ArrowRight: [-stride, 0],
      ArrowUp: [0, stride],
      ArrowDown: [0, -stride],
    };
    const arrow = zoom.scale > 1 ? arrows[key] : undefined;
    if (arrow) change((was, box) => moved(was, arrow[0], arrow[1], box));
    else if (key === '+' || key === '=') by(step);
    else if (key === '-') by(1 / step);
    else if (key === '0') setZoom(whole);
    else return false;
    return true;
  };
  return { frame, zoom, by, reset: () => setZoom(whole), onKey };
}

type Change = (next: (zoom: Zoom, box: Box) => Zoom) => void;

/** @returns a function that ends it. */
function followPointers(node: HTMLElement, change: Change): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const down = new Map<number, Point>();
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const at = pointIn(node, event);
    // A pinch on a touchpad arrives as a wheel event with Ctrl, in finer steps.
    const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002));
    change((zoom, box) => zoomed(zoom, factor, box, at));
  };
  const move = (event: PointerEvent): void => {
    const was = down.get(event.pointerId);
    if (!was) return;
    const now = pointIn(node, event);
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    down.set(event.pointerId, now);
    if (!other) {
      change((zoom, box) => moved(zoom, now.x - was.x, now.y - was.y, box));
      return;
    }
    const factor = distance(now, other) / Math.max(1, distance(was, other));
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    change((zoom, box) => zoomed(zoom, factor, box, middle));
  };
  const release = ({ pointerId }: PointerEvent): void => void down.delete(pointerId);
  node.addEventListener('wheel', wheel, { passive: false, signal });
  node.addEventListener(
    'pointerdown',
    (event) => {
      node.setPointerCapture(event.pointerId);
      down.set(event.pointerId, pointIn(node, event));
    },
    { signal },
  );
  node.addEventListener('pointermove', move, { signal });
  node.addEventListener('pointerup', release, { signal });
  node.addEventListener('pointercancel', release, { signal });
  return () => stop.abort();
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
