import { moved, zoomed } from './zoom';
import type { Extent, Zoom } from './zoom';

type Change = (next: (zoom: Zoom, extent: Extent) => Zoom) => void;

/** Where a finger throws a picture that is not zoomed. */
export type Swipe = 'next' | 'previous' | 'up' | 'down';

/** What a pointer does by itself instead of moving the picture, such as drawing. */
export interface Stroke {
  /** @returns whether it begins; otherwise, the pointer moves the picture. */
  readonly begin: (event: PointerEvent) => boolean;
  readonly go: (event: PointerEvent) => void;
  /** @param isKept unless it was the first of two fingers, which zoom. */
  readonly end: (isKept: boolean) => void;
}

interface Following {
  readonly change: Change;
  readonly stroke: () => Stroke | undefined;
  /** A finger moves sideways over a picture that is not zoomed; 0 when it is lifted. */
  readonly onPull: (pixels: number) => void;
  readonly onSwipe: (to: Swipe) => void;
  /** Whether the picture is larger than where it fits. */
  readonly isClose: () => boolean;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** How far a finger moves for a swipe, in pixels. */
const swipeLength = 60;

/** What a movement means, if it is long enough. */
function swipeOf({ from, to }: { readonly from: Point; readonly to: Point }): Swipe | undefined {
  const [x, y] = [to.x - from.x, to.y - from.y];
  if (Math.max(Math.abs(x), Math.abs(y)) < swipeLength) return undefined;
  if (Math.abs(x) > Math.abs(y)) return x < 0 ? 'next' : 'previous';
  return y < 0 ? 'up' : 'down';
}

/** A position relative to the middle of the frame below it: there are two side by side. */
function pointIn(node: HTMLElement, { clientX, clientY, target }: MouseEvent): Point {
  const frame = (target instanceof Element && target.closest('.frame')) || node;
  const { left, top, width, height } = frame.getBoundingClientRect();
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** Zooms and moves by wheel, by one pointer or two. @returns a function that ends it. */
export function followPointers(node: HTMLElement, following: Following): () => void {
  const { change, onPull, onSwipe, isClose, stroke } = following;
  const stop = new AbortController();
  const { signal } = stop;
  const down = new Map<number, Point>();
  let pull: { readonly from: Point; readonly to: Point } | undefined;
  let drawing: PointerEvent | undefined;
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const at = pointIn(node, event);
    // A pinch on a touchpad arrives as a wheel event with Ctrl, in finer steps.
    const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002));
    change((zoom, extent) => zoomed(zoom, factor, extent, at));
  };
  const endStroke = (isKept: boolean): void => {
    if (drawing) stroke()?.end(isKept);
    drawing = undefined;
  };
  const press = (event: PointerEvent): void => {
    // The hand that holds a pen may rest on the screen.
    if (drawing?.pointerType === 'pen') return;
    endStroke(false);
    if (event.pointerType === 'pen') down.clear();
    node.setPointerCapture(event.pointerId);
    const at: Point = { x: event.clientX, y: event.clientY };
    down.set(event.pointerId, at);
    if (down.size === 1 && event.button === 0 && stroke()?.begin(event)) {
      drawing = event;
      return;
    }
    const isFinger = event.pointerType !== 'mouse' && down.size === 1 && !isClose();
    pull = isFinger ? { from: at, to: at } : undefined;
    if (!isFinger) onPull(0);
  };
  const move = (event: PointerEvent): void => {
    const was = down.get(event.pointerId);
    if (!was) return;
    const now: Point = { x: event.clientX, y: event.clientY };
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    down.set(event.pointerId, now);
    if (other) {
      const factor = distance(now, other) / Math.max(1, distance(was, other));
      const { left, top, width, height } = node.getBoundingClientRect();
      const middle = {
        x: (now.x + other.x) / 2 - left - width / 2,
        y: (now.y + other.y) / 2 - top - height / 2,
      };
      change((zoom, extent) => zoomed(zoom, factor, extent, middle));
    } else if (drawing) stroke()?.go(event);
    else if (pull) {
      pull = { ...pull, to: now };
      onPull(now.x - pull.from.x);
    } else change((zoom, extent) => moved(zoom, now.x - was.x, now.y - was.y, extent));
  };
  const release = (event: PointerEvent): void => {
    if (event.pointerId === drawing?.pointerId) endStroke(event.type === 'pointerup');
    down.delete(event.pointerId);
    if (!pull) return;
    const swipe = event.type === 'pointerup' ? swipeOf(pull) : undefined;
    pull = undefined;
    onPull(0);
    if (swipe) onSwipe(swipe);
  };
  node.addEventListener('wheel', wheel, { passive: false, signal });
  node.addEventListener('pointerdown', press, { signal });
  node.addEventListener('pointermove', move, { signal });
  node.addEventListener('pointerup', release, { signal });
  node.addEventListener('pointercancel', release, { signal });
  return () => stop.abort();
}
