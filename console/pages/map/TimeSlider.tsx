import { useEffect, useState } from 'preact/hooks';
import { day } from '../../core/amounts';
import { apiDay, daysBetween, shiftDay } from '../../core/days';
import { t } from '../../core/i18n';
import type { Filters } from './filters';
import './time-slider.css';

type Period = Pick<Filters, 'from' | 'to'>;

interface TimeSliderProps {
  /** The first and the last day of the slider: a handle at its end means no limit. */
  readonly first: string;
  readonly last: string;
  readonly period: Period;
  readonly onChange: (period: Period) => void;
}

/** Two handles on one line of days. */
export function TimeSlider({ first, last, period, onChange }: TimeSliderProps) {
  const most = Math.max(1, daysBetween(first, last));
  const given = {
    from: period.from ? Math.max(0, daysBetween(first, period.from)) : 0,
    to: period.to ? Math.min(most, daysBetween(first, period.to)) : most,
  };
  const [at, setAt] = useState(given);
  useEffect(() => setAt(given), [given.from, given.to]);
  const dayAt = (position: number): string => shiftDay(first, position);
  const slide = (end: 'from' | 'to', value: number): void =>
    setAt(
      end === 'from'
        ? { ...at, from: Math.min(value, at.to) }
        : { ...at, to: Math.max(value, at.from) },
    );
  const decide = (): void =>
    onChange({
      from: at.from > 0 ? dayAt(at.from) : undefined,
      to: at.to < most ? dayAt(at.to) : undefined,
    });
  const text = {
    from: wordsOf(at.from > 0, dayAt(at.from)),
    to: wordsOf(at.to < most, dayAt(at.to)),
  };
  return (
    <div class="time-slider" role="group" aria-label={t('map.period')}>
      <p class="time-slider-days">
        <span>{at.from > 0 ? text.from : t('map.beginning')}</span>
        <span>{at.to < most ? text.to : t('map.today')}</span>
      </p>
      <div
        class="time-slider-line"
        style={{ '--from': `${at.from / most}`, '--to': `${at.to / most}` }}
      >
        {(['from', 'to'] as const).map((end) => (
          <input
            key={end}
            type="range"
            min={0}
            max={most}
            value={at[end]}
            aria-label={t(`map.${end}`)}
            aria-valuetext={text[end]}
            onInput={(event) => {
              slide(end, Number(event.currentTarget.value));
              // The browser has already moved the handle, which must not pass the other one.
              event.currentTarget.value = String(
                end === 'from'
                  ? Math.min(Number(event.currentTarget.value), at.to)
                  : Math.max(Number(event.currentTarget.value), at.from),
              );
            }}
            onChange={decide}
          />
        ))}
      </div>
    </div>
  );
}

const wordsOf = (isLimit: boolean, of: string): string =>
  isLimit ? day(apiDay(of)) : t('map.noLimit');
