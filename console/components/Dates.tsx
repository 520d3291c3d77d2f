import { day, days } from '../core/amounts';
import { apiDay, shiftDay, todayIn } from '../core/days';
import { t } from '../core/i18n';
import { serviceSettings } from '../core/service';
import { useRead } from '../core/use-read';
import { Button } from './Button';
import { Calendar } from './Calendar';
import { Field } from './Field';
import { Popover } from './Popover';

/** Days of the service, `YYYY-MM-DD`, both inclusive; empty: no limit. */
export interface Dates {
  readonly from: string;
  readonly to: string;
}

interface DatesProps extends Dates {
  readonly onChange: (dates: Dates) => void;
  /** How many there are on each day, `YYYYMMDD`, whatever the dates; for a calendar. */
  readonly countsOf?: ((signal: AbortSignal) => Promise<ReadonlyMap<number, number>>) | undefined;
}

const ever: Dates = { from: '', to: '' };

/** A chip that says a period, and opens what chooses one. */
export function DatesFilter({ from, to, onChange, countsOf }: DatesProps) {
  return (
    <Popover label={inWords({ from, to })} active={from !== '' || to !== ''}>
      <Near from={from} to={to} onChange={onChange} countsOf={countsOf} />
      <Field
        type="date"
        label={t('dates.from')}
        value={from}
        onInput={(chosen) => onChange({ from: chosen, to })}
      />
      <Field
        type="date"
        label={t('dates.to')}
        value={to}
        onInput={(chosen) => onChange({ from, to: chosen })}
      />
      <Button onClick={() => onChange(ever)}>{t('dates.any')}</Button>
    </Popover>
  );
}

/** Today, and the week and the month until today; and a calendar. */
function Near({ from, to, onChange, countsOf }: DatesProps) {
  const { data } = useRead(serviceSettings, []);
  const { data: counts } = useRead(async (signal) => countsOf?.(signal), []);
  if (!data) return null;
  const today = todayIn(data.time_zone);
  const monday = shiftDay(today, -((new Date(today).getUTCDay() + 6) % 7));
  const near = { today, week: monday, month: `${today.slice(0, 8)}01` } as const;
  return (
    <>
      <div class="dates-near">
        {(['today', 'week', 'month'] as const).map((word) => (
          <Button
            key={word}
            pressed={from === near[word] && to === today}
            onClick={() => onChange({ from: near[word], to: today })}
          >
            {t(`dates.${word}`)}
          </Button>
        ))}
      </div>
      {countsOf && (
        <Calendar from={from} to={to} today={today} counts={counts} onChange={onChange} />
      )}
    </>
  );
}

function inWords({ from, to }: Dates): string {
  if (from && to) return from <= to ? days(apiDay(from), apiDay(to)) : t('dates.title');
  if (from) return t('dates.since', { day: day(apiDay(from)) });
  return to ? t('dates.until', { day: day(apiDay(to)) }) : t('dates.title');
}
