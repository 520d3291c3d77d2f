import { Icon } from '../../../components/Icon';
import { month, weekday } from '../../../core/amounts';
import { number, t } from '../../../core/i18n';
import type { ViewState } from '../library';
import type { Group } from './layout';

interface DayHeadProps {
  readonly group: Group;
  readonly state: ViewState;
  readonly onProblem: (problem: unknown) => void;
}

/** The name of a day, month or folder, how many images it has, and a tick that selects all of them. */
export function DayHead({ group, state, onProblem }: DayHeadProps) {
  const { selection } = state;
  const { key, first, end, left, width } = group;
  const count = end - first;
  const all = selection.chosen.value.size >= count && chosenIn(state, group) === count;
  const name =
    state.images.source.nameOf?.(key) ??
    (key > 1e7 ? weekday(String(key), new Date()) : month(`${key}01`));
  return (
    <div
      role="gridcell"
      class="day-head"
      style={{ insetInlineStart: `${left}px`, maxWidth: `${width}px` }}
    >
      <button
        type="button"
        role="checkbox"
        class="day-tick"
        aria-checked={all}
        aria-label={t('library.selectDay', { day: name })}
        onClick={() => void selection.toggleRange(first, end).catch(onProblem)}
      >
        <Icon name="check" />
      </button>
      <span class="day-name" title={name}>
        {name}
      </span>
      <span class="muted">{number(count)}</span>
    </div>
  );
}

/** How many of its images are selected. */
function chosenIn({ images: { buckets }, selection }: ViewState, { first, end }: Group): number {
  let sum = 0;
  for (let day = buckets?.at(first); day && day.start < end;) {
    sum += selection.countOn(day.date);
    day = buckets?.at(day.start + day.count);
  }
  return sum;
}
