import { Button } from '../../components/Button';
import { Field } from '../../components/Field';
import { daysBetween, shiftDay } from '../../core/days';
import { t } from '../../core/i18n';
import type { Range } from './read';

interface RangePickerProps {
  readonly range: Range;
  /** In the time zone of the service. */
  readonly today: string;
  readonly onPick: (range: Range) => void;
}

/** Maximum days in one answer of the API. */
const maxDays = 3_660;

const lengths = [7, 30, 90, 365];

export const lastDays = (today: string, days: number): Range => ({
  from: shiftDay(today, 1 - days),
  to: today,
});

/** What is wrong with a range, if anything. */
export function faultOf({ from, to }: Range): string | undefined {
  if (!from || !to) return t('statistics.noDay');
  if (to < from) return t('statistics.backwards');
  if (daysBetween(from, to) >= maxDays) return t('statistics.tooLong', { most: maxDays });
  return undefined;
}

export function RangePicker({ range, today, onPick }: RangePickerProps) {
  const presets = lengths.map((days) => ({ days, preset: lastDays(today, days) }));
  return (
    <>
      <Field
        type="date"
        label={t('statistics.from')}
        value={range.from}
        onInput={(from) => onPick({ ...range, from })}
      />
      <Field
        type="date"
        label={t('statistics.to')}
        value={range.to}
        onInput={(to) => onPick({ ...range, to })}
        error={faultOf(range)}
      />
      <div class="range-presets">
        {presets.map(({ days, preset }) => (
          <Button
            key={days}
            variant={preset.from === range.from && preset.to === range.to ? 'primary' : 'plain'}
            onClick={() => onPick(preset)}
          >
            {t('statistics.lastDays', { count: days })}
          </Button>
        ))}
      </div>
    </>
  );
}
