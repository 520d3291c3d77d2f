import { useEffect } from 'preact/hooks';
import { Icon } from '../../../components/Icon';
import { weekday } from '../../../core/amounts';
import { number, t } from '../../../core/i18n';
import type { ViewState } from '../library';
import type { Pages } from '../pages';
import { pageSize } from './layout';

interface DayHeadProps {
  readonly day: string;
  /** The index of its first image. */
  readonly start: number;
  readonly state: ViewState;
  readonly onProblem: (problem: unknown) => void;
}

/** The name of a day, how many images it has, and a tick that selects all of them. */
export function DayHead({ day, start, state, onProblem }: DayHeadProps) {
  const { pages, selection } = state;
  // Its count may become known while its properties stay the same.
  void pages.version.value;
  const count = countOf(pages, day, start);
  useEffect(() => {
    if (count === undefined) pages.wantExtent(day);
  }, [count === undefined]);
  const chosen = selection.items.value;
  const all = count !== undefined && count <= chosen.size && isChosen(state, start, count);
  const name = weekday(day);
  return (
    <div role="gridcell" class="day-head">
      <button
        type="button"
        role="checkbox"
        class="day-tick"
        aria-checked={all}
        aria-label={t('library.selectDay', { day: name })}
        disabled={count === undefined}
        onClick={() => {
          if (count !== undefined) void selection.toggleRange(start, count).catch(onProblem);
        }}
      >
        <Icon name="check" />
      </button>
      <span class="day-name">{name}</span>
      {count !== undefined && <span class="muted">{number(count)}</span>}
    </div>
  );
}

/** How many images a day has; undefined until it is known. */
function countOf(pages: Pages, day: string, start: number): number | undefined {
  const asked = pages.extent(day);
  if (asked) return asked.count;
  let index = start;
  for (let page = Math.floor(start / pageSize); index < pages.total; page += 1) {
    const days = pages.days(page);
    if (!days) return undefined;
    const at = days.findIndex((each) => each.day === day);
    const next = days[at + 1];
    if (at < 0) break;
    if (next) return next.index - start;
    index = (page + 1) * pageSize;
  }
  return Math.min(index, pages.total) - start;
}

/** Whether all of these images are selected. Those that are not in memory are asked for by the tick. */
function isChosen({ pages, selection }: ViewState, start: number, count: number): boolean {
  for (let index = start; index < start + count; index += 1) {
    const item = pages.at(index);
    if (item && !selection.has(item)) return false;
  }
  return true;
}
