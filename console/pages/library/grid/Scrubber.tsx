import { useMemo, useRef, useState } from 'preact/hooks';
import { month } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import { partSize } from '../buckets';
import type { Buckets } from '../buckets';
import { groupsOf } from './layout';

interface ScrubberProps {
  readonly buckets: Buckets;
  /** Names folders, if it has them in place of days. */
  readonly nameOf: ((key: number) => string) | undefined;
  /** The image at the top of the window. */
  readonly index: number;
  readonly onJump: (index: number) => void;
}

/** Where a year, month or folder begins. */
interface Mark {
  /** `2024`, `202403`, or the number of a folder. */
  readonly key: number;
  readonly first: number;
}

/** Whether a list of so many images has it beside it. */
export const isLong = (total: number): boolean => total >= 200;

/** The years and months, or folders, of a list beside it (WAI-ARIA, slider): a click or drag goes there. */
export function Scrubber({ buckets, nameOf, index, onJump }: ScrubberProps) {
  const { total } = buckets;
  const months = useMemo(() => groupsOf(buckets.days, nameOf ? 'folder' : 'month'), [buckets]);
  const years = useMemo(() => (nameOf ? months : yearsOf(months)), [months]);
  const line = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState<number>();
  // Where the last key led: the row there may begin earlier, and the next key come before it is read.
  const goal = useRef<number | undefined>(undefined);
  if (!isLong(total)) return null;
  const at = held ?? index;
  const here = months.findLast(({ first }) => first <= at)?.key ?? 0;
  const name = nameOf ? nameOf(here) : month(`${here}01`);
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
    const from = Math.abs(led - index) < partSize ? led : at;
    const to = markFor(event.key, from, event.key.startsWith('Page') ? years : months, total);
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
      aria-label={t(nameOf ? 'library.folders' : 'library.time')}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={total - 1}
      aria-valuenow={at}
      aria-valuetext={name}
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
      {!nameOf &&
        apart(years, total, 0.035).map(({ key, first }) => (
          <span key={key} class="scrubber-year" style={{ insetBlockStart: share(first, total) }}>
            {key}
          </span>
        ))}
      {apart(months, total, 0.002).map(({ key, first }) => (
        <i key={key} class="scrubber-month" style={{ insetBlockStart: share(first, total) }} />
      ))}
      <span class="scrubber-here" style={{ insetBlockStart: share(at, total) }}>
        <span class="scrubber-name">{name}</span>
      </span>
    </div>
  );
}

const share = (index: number, total: number): string => `${(100 * index) / total}%`;

/** Marks that do not overlap: each a part of the line below the one before. */
function apart(marks: readonly Mark[], total: number, part: number): Mark[] {
  const shown: Mark[] = [];
  for (const mark of marks) {
    const last = shown.at(-1);
    if (!last || (mark.first - last.first) / total > part) shown.push(mark);
  }
  return shown;
}

function yearsOf(months: readonly Mark[]): Mark[] {
  const years: Mark[] = [];
  for (const { key, first } of months) {
    const year = Math.floor(key / 100);
    if (year !== years.at(-1)?.key) years.push({ key: year, first });
  }
  return years;
}

/** Where a key leads: to the next mark, or the one before. */
function markFor(
  key: string,
  at: number,
  marks: readonly Mark[],
  total: number,
): number | undefined {
  const next = marks.find(({ first }) => first > at)?.first;
  const before = marks.findLast(({ first }) => first < at)?.first;
  if (key === 'ArrowDown' || key === 'PageDown') return next ?? total - 1;
  if (key === 'ArrowUp' || key === 'PageUp') return before ?? 0;
  if (key === 'Home') return 0;
  return key === 'End' ? total - 1 : undefined;
}
