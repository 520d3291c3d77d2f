import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { day } from '../../../core/amounts';
import { depthOf, geometryOf, rowsIn, topFor } from './geometry';
import { moveOf } from './keys';
import { dayOf, Rows } from './Rows';
import type { GridParts } from './Rows';
import { useSight } from './use-sight';

interface GridProps extends GridParts {
  /** What screen readers call it. */
  readonly label: string;
  /** Called for keys that the grid does not handle. */
  readonly onKey: (event: KeyboardEvent) => void;
}

/** A grid that draws and reads only what is visible: a hundred thousand images scroll like ten. */
export function Grid({ label, onKey, ...parts }: GridProps) {
  const { pages, current } = parts;
  const { area, seen } = useSight();
  const id = useId();
  const placed = useRef(false);
  void pages.version.value;
  const { total } = pages;
  const geometry = geometryOf(seen.width, total);
  const { columns } = geometry;
  const [first, end] = seen.height > 0 ? rowsIn(geometry, seen) : [0, 0];
  const depth = depthOf(geometry, seen);
  const topmost = dayOf(pages.at(first * columns));
  const isDrawn = current >= first * columns && current < end * columns;
  const idOf = (index: number): string => `${id}-${index}`;
  const show = (index: number): void => {
    const node = area.current;
    if (!node) return;
    const row = Math.floor(index / columns);
    node.scrollTop = topFor(geometry, { ...seen, top: node.scrollTop }, row);
  };
  useEffect(() => {
    // The first page contains the total.
    if (seen.height > 0) pages.see(first * columns, Math.min(end * columns, total || 1));
  }, [pages, first, end, columns, total, seen.height]);
  useLayoutEffect(() => {
    // As soon as there is content, scrolls to where the reader was.
    if (placed.current || total === 0 || seen.height === 0) return;
    placed.current = true;
    show(current);
  });
  const perPage = Math.max(1, Math.floor(seen.height / geometry.pitch)) * columns;
  return (
    <div class="grid-frame">
      <p class="grid-day" aria-hidden="true">
        {topmost && depth > 4 ? day(topmost) : ''}
      </p>
      <div
        ref={area}
        class="grid-area"
        role="grid"
        aria-label={label}
        aria-multiselectable
        aria-rowcount={geometry.rows}
        aria-colcount={columns}
        aria-activedescendant={isDrawn ? idOf(current) : undefined}
        tabIndex={0}
        onKeyDown={(event) => {
          if (press(event, parts, { columns, perPage, total }, show)) event.preventDefault();
          else onKey(event);
        }}
      >
        <Rows
          {...parts}
          geometry={geometry}
          first={first}
          end={end}
          shift={seen.top - depth}
          idOf={idOf}
        />
      </div>
    </div>
  );
}

/** @returns whether the grid handled the key. */
function press(
  event: KeyboardEvent,
  { pages, selection, current, onCurrent, onOpen, onProblem }: GridParts,
  extent: Parameters<typeof moveOf>[2],
  show: (index: number) => void,
): boolean {
  const to = moveOf(event.key, current, extent);
  const item = pages.at(current);
  if (to !== undefined) {
    onCurrent(to);
    show(to);
    if (event.shiftKey) void selection.extendTo(to).catch(onProblem);
    else if (selection.items.value.size === 0) selection.startAt(to);
  } else if (event.key === ' ') selection.toggle(current);
  else if (event.key === 'Enter' && item) onOpen(item, current);
  else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
    void selection.all().catch(onProblem);
  } else return false;
  return true;
}
