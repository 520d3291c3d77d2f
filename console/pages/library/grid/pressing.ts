import type { Chosen } from '../selection';
import type { ViewState } from '../library';
import type { Image } from '../listing';

/** Properties that the grid shares with its rows. */
export interface GridParts {
  readonly state: ViewState;
  /** The focus moves to what is at an index. */
  readonly onCurrent: (index: number) => void;
  readonly onOpen: (image: Image, index: number) => void;
  readonly onProblem: (problem: unknown) => void;
  /** The title of a folder. */
  readonly folderOf: (id: string | null) => string | undefined;
  /** A few words on an image. */
  readonly badgeOf: ((image: Image) => string | undefined) | undefined;
}

/** How long a finger is held on something before that selects it, in milliseconds. */
const longMs = 450;
/** How far a finger may slip meanwhile, in pixels. */
const slipPx = 10;

/** A finger on the grid. */
interface Held {
  readonly x: number;
  readonly y: number;
  readonly timer: ReturnType<typeof setTimeout>;
  /** What was selected before it was held so long that it selects. */
  kept?: Chosen;
  /** Where it is. */
  index: number;
}

let held: Held | undefined;
/** Whether the finger has done what it was to do before it was lifted. */
let isSpent = false;

function release(): void {
  clearTimeout(held?.timer);
  held = undefined;
}

const indexUnder = ({ clientX: x, clientY: y }: PointerEvent): number =>
  Number(/\d+$/.exec(document.elementFromPoint(x, y)?.closest('.tile')?.id ?? '')?.[0] ?? NaN);

/**
 * What clicks and fingers do to a tile. A click opens it, or with a key held, selects. A finger that is held
 * selects, and when it moves on, all that it passes; from then on, taps do.
 */
export const pressing = (props: GridParts, index: number) => ({
  onPointerDown: (event: PointerEvent): void => {
    release();
    isSpent = false;
    if (event.pointerType === 'mouse') return;
    const { selection } = props.state;
    const select = (): void => {
      if (!held) return;
      isSpent = true;
      held.kept = selection.chosen.peek();
      choose(props, index, false);
    };
    held = { x: event.clientX, y: event.clientY, timer: setTimeout(select, longMs), index };
  },
  onPointerMove: (event: PointerEvent): void => {
    if (!held) return;
    if (!held.kept) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) > slipPx) release();
      return;
    }
    const to = indexUnder(event);
    if (Number.isNaN(to) || to === held.index) return;
    held.index = to;
    void props.state.selection.extendTo(to, held.kept).catch(props.onProblem);
  },
  onPointerUp: release,
  onPointerCancel: release,
  onTouchMove: (event: TouchEvent): void => {
    // Otherwise the page would scroll.
    if (held?.kept) event.preventDefault();
  },
  onContextMenu: (event: MouseEvent): void => {
    // Of a finger that is held; a mouse has its menu.
    if (held || isSpent) event.preventDefault();
  },
  onPress: (event: MouseEvent): void => {
    if (isSpent) return;
    const { state, onCurrent, onOpen } = props;
    const image = state.images.at(index);
    const isTouch = (event as Partial<PointerEvent>).pointerType === 'touch';
    if (!image) return;
    if (event.shiftKey) choose(props, index, true);
    else if (event.ctrlKey || event.metaKey) choose(props, index, false);
    else if (isTouch && state.selection.chosen.peek().size > 0) choose(props, index, false);
    else {
      onCurrent(index);
      onOpen(image, index);
    }
  },
  onCheck: (event: MouseEvent): void => {
    event.stopPropagation();
    if (!isSpent) choose(props, index, event.shiftKey);
  },
});

/** Selects an image, or all up to it. */
function choose({ state, onCurrent, onProblem }: GridParts, index: number, all: boolean): void {
  onCurrent(index);
  if (all) void state.selection.extendTo(index).catch(onProblem);
  else state.selection.toggle(index);
}
