import { useEffect, useRef, useState } from 'preact/hooks';
import { month } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import type { Pages } from '../pages';
import { dayOf } from '../listing';
import { readMonths, readYears } from './calendar';
import type { Mark } from './calendar';
import { pageSize } from './layout';

interface ScrubberProps {
  readonly pages: Pages;
  /** The image at the top of the window. */
  readonly index: number;
  readonly onJump: (index: number) => void;
}

/** Whether a list of so many images has it beside it. */
export const isLong = (total: number): boolean => total >= 200;

/** The years and months of a list beside it (WAI-ARIA, slider): a click or drag goes there. */
export function Scrubber({ pages, index, onJump }: ScrubberProps) {
  const { total } = pages;
  const { years, months, wantMonths } = useCalendar(pages);
  const line = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState<number>();
  // Where the last key led: the row there may begin earlier, and the next key come before it is read.
  const goal = useRef<number | undefined>(undefined);
  if (!isLong(total) || years.length === 0) return null;
  const marks = months.length > 0 ? months : years;
  const at = held ?? index;
  const jump = (to: number): void => onJump(Math.min(total - 1, Math.max(0, to)));
  const pointed = ({ clientY }: PointerEvent): number => {
    const { top, height } = line.current?.getBoundingClientRect() ?? { top: 0, height: 1 };
    return Math.floor(Math.min(1, Math.max(0, (clientY - top) / height)) * (total - 1));
  };
  const follow = (event: PointerEvent): void => {
    const to = pointed(event);
    setHeld(to);
    if (event.buttons > 0) jump(to);
  };
  const press = (event: KeyboardEvent): void => {
    const led = goal.current ?? at;
    const from = Math.abs(led - index) < pageSize ? led : at;
    const to = markFor(event.key, from, event.key.startsWith('Page') ? years : marks, total);
    if (to === undefined) return;
    event.preventDefault();
    goal.current = to;
    jump(to);
  };
  return (
    <div
      ref={line}
      class={held === undefined ? 'scrubber' : 'scrubber held'}
      role="slider"
      tabIndex={0}
      aria-label={t('library.time')}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={total - 1}
      aria-valuenow={at}
      aria-valuetext={nameAt(marks, at, pages)}
      onFocus={wantMonths}
      onPointerEnter={wantMonths}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const to = pointed(event);
        setHeld(to);
        jump(to);
      }}
      onPointerMove={follow}
      onPointerLeave={() => setHeld(undefined)}
      onPointerUp={({ pointerType }) => pointerType !== 'mouse' && setHeld(undefined)}
      onKeyDown={press}
    >
      {shownOf(years, total).map((year) => (
        <span
          key={year.name}
          class="scrubber-year"
          style={{ insetBlockStart: share(year.index, total) }}
        >
          {year.name}
        </span>
      ))}
      {months.map(({ name, index: first }) => (
        <i key={name} class="scrubber-month" style={{ insetBlockStart: share(first, total) }} />
      ))}
      <span class="scrubber-here" style={{ insetBlockStart: share(at, total) }}>
        <span class="scrubber-name">{nameAt(marks, at, pages)}</span>
      </span>
    </div>
  );
}

const share = (index: number, total: number): string => `${(100 * index) / total}%`;

/** Years whose names do not overlap. */
function shownOf(years: readonly Mark[], total: number): Mark[] {
  const shown: Mark[] = [];
  for (const year of years) {
    const last = shown.at(-1);
    if (!last || (year.index - last.index) / total > 0.035) shown.push(year);
  }
  return shown;
}

function nameAt(marks: readonly Mark[], index: number, pages: Pages): string {
  const item = pages.at(index);
  if (item) return month(dayOf(item.data));
  const name = marks.findLast((mark) => mark.index <= index)?.name ?? '';
  return name.includes('-') ? month(`${name.replace('-', '')}01`) : name;
}

/** Where a key leads: to the next mark, or the one before. */
function markFor(
  key: string,
  at: number,
  marks: readonly Mark[],
  total: number,
): number | undefined {
  const next = marks.find(({ index }) => index > at)?.index;
  const before = marks.findLast(({ index }) => index < at)?.index;
  if (key === 'ArrowDown' || key === 'PageDown') return next ?? total - 1;
  if (key === 'ArrowUp' || key === 'PageUp') return before ?? 0;
  if (key === 'Home') return 0;
  return key === 'End' ? total - 1 : undefined;
}

interface Calendar {
  readonly years: readonly Mark[];
  readonly months: readonly Mark[];
  /** Months are counted when the reader comes near. */
  readonly wantMonths: () => void;
}

/** Without an answer there is no scrubber: the list can be scrolled. */
function useCalendar({ listing, total }: Pages): Calendar {
  const [years, setYears] = useState<readonly Mark[]>([]);
  const [months, setMonths] = useState<readonly Mark[]>([]);
  const [wanted, setWanted] = useState(false);
  const long = isLong(total);
  useEffect(() => {
    const stop = new AbortController();
    setMonths([]);
    if (long) {
      readYears(listing, stop.signal).then(
        (found) => stop.signal.aborted || setYears(found),
        () => stop.signal.aborted || setYears([]),
      );
    }
    return () => stop.abort();
  }, [listing, total, long]);
  useEffect(() => {
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      let found: readonly Mark[] = [];
      for (const year of years) {
        found = [...found, ...(await readMonths(listing, year, stop.signal))];
        if (stop.signal.aborted) return;
        setMonths(found);
      }
    };
    if (wanted) read().catch(() => undefined);
    return () => stop.abort();
  }, [listing, years, wanted]);
  return { years, months, wantMonths: () => setWanted(true) };
}
