import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Spot } from '../buckets';
import type { ViewState } from '../library';
import type { Chosen } from '../selection';
import { covered } from './geometry';
import type { Frame, Layout } from './layout';

/** How far a mouse moves before it draws rather than clicks, in pixels. */
const slipPx = 4;
/** So near to the edges of the list in the window, a mouse that draws scrolls, in pixels. */
const edgePx = 48;

/** Where a mouse is: from the left of the grid, and from the top of the window. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** A mouse that was pressed on empty ground. */
interface Pressed extends Point {
  /** An image, and how far below it that was: it may lie elsewhere by now. */
  readonly spot: Spot;
  readonly below: number;
  /** What was selected before, and what of that stays selected. */
  readonly before: Chosen;
  readonly kept: Chosen;
  /** What the frame touches; undefined until it is drawn. */
  touched?: readonly number[];
}

interface Ground {
  readonly area: RefObject<HTMLElement | null>;
  readonly state: ViewState;
  readonly layout: Layout;
  /** Of the top of the window. */
  readonly depth: number;
  readonly onProblem: (problem: unknown) => void;
}

/**
 * A mouse that is pressed beside pictures, or on the page around them, draws a frame and selects what that
 * touches; with Ctrl or Shift, too. Escape gives back what was selected before. @returns the frame.
 */
export function useMarquee(ground: Ground): Frame | undefined {
  const { area, state, layout, depth, onProblem } = ground;
  const latest = useRef(ground);
  latest.current = ground;
  const pressed = useRef<Pressed | undefined>(undefined);
  const [to, draw] = useState<Point>();
  useEffect(() => {
    const page = area.current?.closest('main');
    if (!page) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const end = (): void => {
      pressed.current = undefined;
      draw(undefined);
    };
    const move = (event: PointerEvent): void => {
      const from = pressed.current;
      if (!from) return;
      if (event.buttons === 0) return end();
      const { x, y } = pointOf(event, area.current);
      if (!page.hasPointerCapture(event.pointerId)) {
        if (Math.hypot(x - from.x, y - from.y) < slipPx) return;
        // Not before: clicks would miss what they are on.
        page.setPointerCapture(event.pointerId);
      }
      draw({ x, y });
    };
    const giveBack = (event: KeyboardEvent): void => {
      const from = pressed.current;
      if (event.key !== 'Escape' || !from?.touched) return;
      event.stopPropagation();
      void latest.current.state.selection.mark([], from.before);
      end();
    };
    const press = (event: PointerEvent): void => {
      pressed.current = isOnGround(event, area.current) ? begin(event, latest.current) : undefined;
    };
    page.addEventListener('pointerdown', press, { signal });
    page.addEventListener('pointermove', move, { signal });
    page.addEventListener('pointerup', end, { signal });
    page.addEventListener('pointercancel', end, { signal });
    // No text is selected meanwhile.
    page.addEventListener('selectstart', (event) => pressed.current && event.preventDefault(), {
      signal,
    });
    addEventListener('keydown', giveBack, { signal, capture: true });
    return () => stop.abort();
  }, []);
  const from = to && pressed.current;
  const frame = to && from && frameOf(from, to, ground);
  useLayoutEffect(() => {
    if (!from || !frame) return;
    const touched = layout.touched(frame);
    if (touched.join() === from.touched?.join()) return;
    from.touched = touched;
    void state.selection.mark(touched, from.kept).catch(onProblem);
  }, [to, layout, depth]);
  useScrolling(to?.y);
  return frame;
}

/** Whether a mouse is pressed where nothing is: beside the tiles and ticks of the grid, or around it. */
function isOnGround(
  { target, pointerType, button }: PointerEvent,
  area: HTMLElement | null,
): boolean {
  if (pointerType !== 'mouse' || button !== 0 || !area || !(target instanceof Element))
    return false;
  return target.contains(area) || (area.contains(target) && !target.closest('.tile, button'));
}

const pointOf = ({ clientX, clientY }: PointerEvent, area: HTMLElement | null): Point => ({
  x: clientX - (area?.getBoundingClientRect().left ?? 0),
  y: clientY,
});

function begin(event: PointerEvent, { area, state, layout, depth }: Ground): Pressed {
  const point = pointOf(event, area.current);
  const index = layout.indexAt(depth + point.y);
  const before = state.selection.chosen.peek();
  return {
    ...point,
    spot: state.images.spotAt(index),
    below: depth + point.y - layout.topOf(index),
    before,
    kept: event.ctrlKey || event.metaKey || event.shiftKey ? before : new Map(),
  };
}

function frameOf(from: Pressed, { x, y }: Point, { state, layout, depth }: Ground): Frame {
  const start = layout.topOf(state.images.indexOf(from.spot)) + from.below;
  return {
    left: Math.min(from.x, x),
    right: Math.max(from.x, x),
    top: Math.min(start, depth + y),
    bottom: Math.max(start, depth + y),
  };
}

/** Scrolls as long as a mouse that draws is at the edge of the list in the window, or beyond: the faster, the farther. */
function useScrolling(y: number | undefined): void {
  useEffect(() => {
    if (y === undefined) return undefined;
    const above = Math.min(0, y - covered() - edgePx);
    const speed = (above + Math.max(0, y - innerHeight + edgePx)) / 3;
    if (speed === 0) return undefined;
    let next = 0;
    const step = (): void => {
      scrollBy({ top: speed, behavior: 'instant' });
      next = requestAnimationFrame(step);
    };
    step();
    return () => cancelAnimationFrame(next);
  }, [y]);
}
