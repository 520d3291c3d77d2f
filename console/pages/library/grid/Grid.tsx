import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { look, tileSize } from '../../../core/looks';
import { shortcutOf } from '../../../core/keys';
import { Buckets } from '../buckets';
import { groupingOf } from '../by-folder';
import type { ViewState } from '../library';
import { Bands } from './Bands';
import type { GridParts } from './pressing';
import { covered, depthOf, drawnHeight, gap, geometryOf, headHeight, topOf } from './geometry';
import { groupsOf, Layout } from './layout';
import { isLong, Scrubber } from './Scrubber';
import { useMarquee } from './use-marquee';
import { useSight } from './use-sight';

interface GridProps extends GridParts {
  /** What screen readers call it. */
  readonly label: string;
  /** What is above it. */
  readonly head: ComponentChildren;
  /** Called for keys that the grid does not handle. */
  readonly onKey: (event: KeyboardEvent) => void;
}

/** How far rows are drawn beyond the window, as a part of its height; below it, twice that. */
const ahead = 0.25;

const none = new Buckets([]);

/** A grid that draws and reads only what is visible: a hundred thousand images scroll like ten. */
export function Grid({ label, head, onKey, ...parts }: GridProps) {
  const { state } = parts;
  const { images } = state;
  const { area, seen, measure } = useSight();
  const id = useId();
  void images.version.value;
  const { buckets = none } = images;
  const { total } = buckets;
  const isTable = look.chosen.value === 'table';
  const { columns, height: row, ratio } = geometryOf(seen.width, tileSize.value, isTable);
  const by = groupingOf(state.view);
  const layout = useMemo(
    () =>
      new Layout(groupsOf(buckets.days, by), {
        width: Math.max(1, seen.width),
        height: row,
        columns,
        gap,
        head: headHeight,
        ratioAt: (index) => ratio ?? images.ratioAt(index),
        usualRatio: ratio ?? images.usualRatio,
      }),
    [buckets, seen.width, columns, row, ratio, ratio ?? images.shapes, by],
  );
  state.current = images.settled(state.current);
  const current = images.indexOf(state.current);
  const { height } = layout;
  const depth = depthOf(height, seen);
  const [from, to] = [depth - ahead * seen.height, depth + (1 + 2 * ahead) * seen.height];
  const rows = seen.width > 0 ? layout.rowsIn(from, to) : [];
  const [first, end] = [rows[0]?.first ?? 0, rows.at(-1)?.end ?? 0];
  const idOf = (index: number): string => `${id}-${index}`;
  const scrollTo = (to: number): void => {
    const node = area.current;
    if (!node) return;
    const above = node.getBoundingClientRect().top + scrollY;
    window.scrollTo(0, above + topOf(height, to, innerHeight));
    measure();
  };
  const show = (index: number): void => {
    const { top, bottom } = layout.rowOf(index);
    // Under the name of its day, which stays in view.
    const hidden = covered() + headHeight;
    if (top < depth + hidden) scrollTo(top - hidden);
    else if (bottom > depth + seen.height) scrollTo(bottom - seen.height);
  };
  const jump = (index: number): void => {
    state.anchor = { spot: images.spotAt(index), offset: covered() };
    scrollTo(layout.topOf(index) - covered());
  };
  useAnchor(state, layout, depth, seen.width > 0 && total > 0, scrollTo);
  useSought(state, seen.width > 0 && total > 0, show);
  useEffect(() => {
    if (isTable) images.askForMemos();
  }, [images, isTable]);
  useEffect(() => {
    // The first request says how many there are.
    if (seen.height > 0) images.see(first, Math.max(first + 1, end));
  }, [images, first, end, seen.height > 0]);
  useBeginning(area);
  const frame = useMarquee({ area, state, layout, depth, onProblem: parts.onProblem });
  return (
    <div class={isLong(total) ? 'grid-frame long' : 'grid-frame'}>
      {head}
      <div
        ref={area}
        class="grid-area"
        role="grid"
        aria-label={label}
        aria-multiselectable
        aria-rowcount={-1}
        aria-colcount={columns ?? -1}
        aria-activedescendant={current >= first && current < end ? idOf(current) : undefined}
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.target !== area.current) return;
          if (
            press(
              event,
              parts,
              (key, at) => layout.move(key, at, seen.height - covered() - headHeight),
              show,
            )
          )
            event.preventDefault();
          else onKey(event);
        }}
      >
        <Bands
          {...parts}
          layout={layout}
          from={from}
          to={seen.width > 0 ? to : from}
          isTable={isTable}
          height={drawnHeight(height)}
          shift={Math.max(0, seen.top) - Math.max(0, depth)}
          frame={frame}
          idOf={idOf}
        />
      </div>
      <Scrubber
        buckets={buckets}
        nameOf={images.source.nameOf}
        index={layout.indexAt(depth + covered() - rounding)}
        onJump={jump}
      />
    </div>
  );
}

/** Shows the image that the viewer has gone on to, if it is out of the window. */
function useSought(state: ViewState, known: boolean, show: (index: number) => void): void {
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    if (!known || !state.isSought) return undefined;
    state.isSought = false;
    // The browser first returns to where the page was.
    const frame = requestAnimationFrame(() => latest.current(state.images.indexOf(state.current)));
    return () => cancelAnimationFrame(frame);
  }, [state, known]);
}

/** The arrows that do not scroll the page lead into the grid, if nothing else has the focus. */
function useBeginning(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = ({ key }: KeyboardEvent): void => {
      const isFree = document.activeElement?.matches('body, #page');
      if (isFree && (key === 'ArrowLeft' || key === 'ArrowRight')) area.current?.focus();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

/** Browsers scroll to whole pixels. */
const rounding = 2;

/** Keeps the first image in the window that has been read where it is, and takes a returning reader to where they were. */
function useAnchor(
  state: ViewState,
  layout: Layout,
  depth: number,
  known: boolean,
  scrollTo: (depth: number) => void,
): void {
  const { images } = state;
  useLayoutEffect(() => {
    const { anchor } = state;
    if (!known || !anchor) return;
    const wanted = layout.topOf(images.indexOf(anchor.spot)) - anchor.offset;
    if (Math.abs(wanted - depth) >= 1) scrollTo(wanted);
  }, [layout, known]);
  // At once: an effect after painting could come after the next jump, and undo its anchor.
  useLayoutEffect(() => {
    if (!known) return;
    const { anchor } = state;
    const isThere =
      anchor &&
      Math.abs(layout.topOf(images.indexOf(anchor.spot)) - anchor.offset - depth) < rounding;
    if (isThere && depth > 0) return;
    const top = depth + covered();
    // What has not been read yet may turn out to be higher or lower.
    const read = layout
      .rowsIn(top, depth + innerHeight)
      .find(({ start, first }) => start >= top && images.at(first));
    const index = read?.first ?? layout.indexAt(top);
    const offset = layout.topOf(index) - depth;
    // At the beginning, new images move down those that are there.
    state.anchor = depth > 0 ? { spot: images.spotAt(index), offset } : undefined;
  }, [depth]);
}

/** @returns whether the grid handled the key. */
function press(
  event: KeyboardEvent,
  { state: { images, selection, current }, onCurrent, onOpen, onProblem }: GridParts,
  moveOf: (key: string, at: number) => number | undefined,
  show: (index: number) => void,
): boolean {
  const command = event.ctrlKey || event.metaKey;
  const at = images.indexOf(current);
  const key = shortcutOf(event);
  const to = moveOf(key, at);
  const image = images.get(current.id);
  if (to !== undefined) {
    onCurrent(to);
    show(to);
    if (event.shiftKey) void selection.extendTo(to).catch(onProblem);
    else if (selection.chosen.peek().size === 0) selection.startAt(to);
  } else if (key === ' ' || (key === 'x' && !command)) {
    if (image) selection.toggle(at);
  } else if (key === 'Enter' && image) onOpen(image, at);
  else if (key === 'a' && command) void selection.all().catch(onProblem);
  else return false;
  return true;
}
