import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { tileSize } from '../../../core/tile-size';
import type { ViewState } from '../library';
import { depthOf, drawnHeight, gap, geometryOf, headHeight, topOf } from './geometry';
import { moveOf } from './keys';
import { Layout, pageSize } from './layout';
import { Rows } from './Rows';
import type { GridParts } from './Rows';
import { isLong, Scrubber } from './Scrubber';
import { useSight } from './use-sight';

interface GridProps extends GridParts {
  /** What screen readers call it. */
  readonly label: string;
  /** Called for keys that the grid does not handle. */
  readonly onKey: (event: KeyboardEvent) => void;
}

/** How far rows are drawn beyond the window, as a part of its height; below it, twice that. */
const ahead = 0.25;

/** What the toolbar covers at the top of the window (library.css). */
const covered = (): number =>
  parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;

/** A grid that draws and reads only what is visible: a hundred thousand images scroll like ten. */
export function Grid({ label, onKey, ...parts }: GridProps) {
  const { state } = parts;
  const { pages, current } = state;
  const { area, seen, measure } = useSight();
  const id = useId();
  const { total } = pages;
  const { columns, tile } = geometryOf(seen.width, tileSize.value);
  const layout = useMemo(
    () => new Layout(pages, { columns, pitch: tile + gap, head: headHeight }),
    [pages, pages.version.value, columns, tile],
  );
  const { height } = layout;
  const depth = depthOf(height, seen);
  const [from, to] = [depth - ahead * seen.height, depth + (1 + 2 * ahead) * seen.height];
  const rows = seen.width > 0 ? layout.rowsIn(from, to) : [];
  const [first, end] = layout.imagesIn(from, to);
  const isDrawn = rows.some((row) => current >= row.first && current < row.end);
  const idOf = (index: number): string => `${id}-${index}`;
  const scrollTo = (to: number): void => {
    const node = area.current;
    if (!node) return;
    const above = node.getBoundingClientRect().top + scrollY;
    window.scrollTo(0, above + topOf(height, to, innerHeight));
    measure();
  };
  const show = (index: number): void => {
    const top = layout.topOf(index);
    const bottom = (layout.rowOf(index)?.top ?? top) + tile + gap;
    if (top < depth + covered()) scrollTo(top - covered());
    else if (bottom > depth + seen.height) scrollTo(bottom - seen.height);
  };
  const jump = (index: number): void => {
    state.anchor = { index, offset: covered() };
    scrollTo(layout.topOf(index) - covered());
  };
  useAnchor(state, layout, depth, seen, scrollTo);
  useSought(state, seen.width > 0 && total > 0, show);
  useEffect(() => {
    // The first page contains the total.
    if (seen.height > 0) pages.see(first, Math.max(first + 1, end));
  }, [pages, first, end, total, seen.height > 0]);
  useEffect(() => {
    const page = Math.floor(first / pageSize);
    const day = pages.days(page)?.[0]?.day;
    // Where the list was entered in the middle of a day.
    if (page > 0 && day !== undefined && !pages.days(page - 1)) pages.wantExtent(day);
  });
  useEffect(() => {
    // The last ones may have gone.
    if (total > 0 && current >= total) parts.onCurrent(total - 1);
  }, [total, current]);
  useBeginning(area);
  const perPage = Math.max(1, Math.floor(seen.height / (tile + gap))) * columns;
  return (
    <div class={isLong(total) ? 'grid-frame long' : 'grid-frame'}>
      <div
        ref={area}
        class="grid-area"
        role="grid"
        aria-label={label}
        aria-multiselectable
        aria-rowcount={-1}
        aria-colcount={columns}
        aria-activedescendant={isDrawn ? idOf(current) : undefined}
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.target !== area.current) return;
          if (press(event, parts, { layout, perPage, total }, show)) event.preventDefault();
          else onKey(event);
        }}
      >
        <Rows
          {...parts}
          rows={rows}
          columns={columns}
          tile={tile}
          height={drawnHeight(height)}
          shift={Math.max(0, seen.top) - Math.max(0, depth)}
          idOf={idOf}
        />
      </div>
      <Scrubber pages={pages} index={rowAt(rows, depth + covered())} onJump={jump} />
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
    const frame = requestAnimationFrame(() => latest.current(state.current));
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

/** The first image below a depth. */
const rowAt = (rows: ReturnType<Layout['rowsIn']>, depth: number): number =>
  (rows.find(({ top }) => top >= depth - rounding) ?? rows[0])?.first ?? 0;

/**
 * Keeps the first known images in the window where they are while the list above them becomes known,
 * and takes a returning reader to where they were.
 */
function useAnchor(
  state: ViewState,
  layout: Layout,
  depth: number,
  { width, height }: { readonly width: number; readonly height: number },
  scrollTo: (depth: number) => void,
): void {
  const known = width > 0 && state.pages.total > 0;
  useLayoutEffect(() => {
    const { anchor } = state;
    if (!known || !anchor) return;
    const wanted = layout.topOf(anchor.index) - anchor.offset;
    if (Math.abs(wanted - depth) >= 1) scrollTo(wanted);
  }, [layout, known]);
  // At once: an effect after painting could come after the next jump, and undo its anchor.
  useLayoutEffect(() => {
    if (!known) return;
    const { anchor } = state;
    const isThere =
      anchor && Math.abs(layout.topOf(anchor.index) - anchor.offset - depth) < rounding;
    if (isThere && depth > 0) return;
    // At the beginning, new images move down those that are there.
    const top = depth + covered() + rounding;
    const rows = depth > 0 ? layout.rowsIn(top, depth + height) : [];
    const row = rows.find(({ day }) => day !== undefined) ?? rows[0];
    state.anchor = row && { index: row.first, offset: layout.topOf(row.first) - depth };
  }, [depth]);
}

/** @returns whether the grid handled the key. */
function press(
  event: KeyboardEvent,
  { state: { pages, selection, current }, onCurrent, onOpen, onProblem }: GridParts,
  extent: Parameters<typeof moveOf>[2],
  show: (index: number) => void,
): boolean {
  const command = event.ctrlKey || event.metaKey;
  const to = moveOf(event.key, current, extent);
  const item = pages.at(current);
  if (to !== undefined) {
    onCurrent(to);
    show(to);
    if (event.shiftKey) void selection.extendTo(to).catch(onProblem);
    else if (selection.items.value.size === 0) selection.startAt(to);
  } else if (event.key === ' ' || (event.key === 'x' && !command)) selection.toggle(current);
  else if (event.key === 'Enter' && item) onOpen(item, current);
  else if (event.key === 'a' && command) void selection.all().catch(onProblem);
  else return false;
  return true;
}
