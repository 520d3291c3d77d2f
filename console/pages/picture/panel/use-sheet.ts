import { useEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';
import { isSheet } from '../use-details';

/** How far a finger pulls the sheet down to close it, in pixels. */
const closing = 60;

/** What follows fingers by itself. */
const own = '.map-view, .same-spot, input, textarea';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** On a phone, a finger pulls the panel down: from its head, or as long as it is not scrolled. */
export function useSheet(panel: RefObject<HTMLElement | null>, onClose: () => void): void {
  const latest = useRef(onClose);
  latest.current = onClose;
  useEffect(() => {
    const node = panel.current;
    return node ? followFinger(node, () => latest.current()) : undefined;
  }, []);
}

/** @returns a function that ends it. */
function followFinger(node: HTMLElement, onClose: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let from: Point | undefined;
  let pulled = 0;
  const pull = (by: number): void => {
    pulled = by;
    node.style.translate = by > 0 ? `0 ${by}px` : '';
  };
  const press = ({ target, touches }: TouchEvent): void => {
    const [finger, other] = touches;
    const at = target instanceof Element ? target : node;
    const isFree = node.scrollTop <= 0 || at.closest('.panel-head');
    const isPull = isSheet() && isFree && !other && !at.closest(own);
    from = finger && isPull ? { x: finger.clientX, y: finger.clientY } : undefined;
    pull(0);
  };
  const move = (event: TouchEvent): void => {
    const [finger] = event.touches;
    if (!from || !finger) return;
    const [x, y] = [finger.clientX - from.x, finger.clientY - from.y];
    if (pulled === 0 && y <= Math.abs(x)) {
      from = undefined; // it is scrolled instead
      return;
    }
    event.preventDefault();
    pull(Math.max(1, y));
  };
  const release = ({ type }: TouchEvent): void => {
    const isClosed = type === 'touchend' && pulled >= closing;
    from = undefined;
    pull(0);
    if (isClosed) onClose();
  };
  node.addEventListener('touchstart', press, { passive: true, signal });
  node.addEventListener('touchmove', move, { passive: false, signal });
  node.addEventListener('touchend', release, { signal });
  node.addEventListener('touchcancel', release, { signal });
  return () => stop.abort();
}
