import { useRef, useState } from 'preact/hooks';
import { month, weekday } from '../core/amounts';
import { apiDay, shiftDay } from '../core/days';
import { language, number, t } from '../core/i18n';
import { Button } from './Button';

interface CalendarProps {
  /** Days of the service, `YYYY-MM-DD`, both inclusive; empty: no limit. */
  readonly from: string;
  readonly to: string;
  /** The month that it begins with, if nothing is chosen. */
  readonly today: string;
  /** How many there are on each day, `YYYYMMDD`. */
  readonly counts: ReadonlyMap<number, number> | undefined;
  readonly onChange: (dates: { readonly from: string; readonly to: string }) => void;
}

/** Days that an arrow leads on. */
const steps = new Map([
  ['ArrowLeft', -1],
  ['ArrowRight', 1],
  ['ArrowUp', -7],
  ['ArrowDown', 7],
]);

/** The days of a month, and how many there are on each. A press chooses a day, the next one a period. */
export function Calendar({ from, to, today, counts, onChange }: CalendarProps) {
  // What an arrow has led to, or else what is chosen, has the focus, and its month is shown.
  const [here, setHere] = useState(from || to || today);
  const table = useRef<HTMLTableElement>(null);
  const [first, weeks] = weeksOf(here);
  const turn = (by: number): void => setHere(`${shiftDay(first, by < 0 ? -1 : 31).slice(0, 8)}01`);
  const choose = (chosen: string): void => {
    setHere(chosen);
    const isPeriod = from !== '' && from === to && chosen !== from;
    const [start = chosen, end = chosen] = isPeriod ? [from, chosen].sort() : [];
    onChange({ from: start, to: end });
  };
  const press = (event: KeyboardEvent): void => {
    const by = steps.get(event.key);
    if (by === undefined) return;
    event.preventDefault();
    setHere(shiftDay(here, by));
    // Once its month is there.
    requestAnimationFrame(() =>
      table.current?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus(),
    );
  };
  return (
    <div class="calendar">
      <header>
        <Button variant="quiet" icon="back" iconOnly onClick={() => turn(-1)}>
          {t('dates.earlier')}
        </Button>
        <p role="status">{month(apiDay(first))}</p>
        <Button variant="quiet" icon="chevron" iconOnly onClick={() => turn(1)}>
          {t('dates.later')}
        </Button>
      </header>
      <table ref={table} onKeyDown={press}>
        <thead>
          <tr>
            {weeks[0]?.map((each) => (
              <th key={each} scope="col">
                {weekdayName(each)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((each) => {
                const count = counts?.get(Number(apiDay(each))) ?? 0;
                const isIn = each >= from && each <= (to || from) && from !== '';
                // Days of the months beside it are in those.
                if (each.slice(0, 7) !== first.slice(0, 7)) return <td key={each} />;
                return (
                  <td key={each}>
                    <button
                      type="button"
                      class={count > 0 ? 'calendar-day some' : 'calendar-day'}
                      aria-pressed={isIn}
                      aria-current={each === today ? 'date' : undefined}
                      aria-label={[
                        weekday(apiDay(each)),
                        ...(count > 0 ? [t('library.count', { count })] : []),
                      ].join(', ')}
                      data-count={count > 0 ? number(count) : ''}
                      tabIndex={each === here ? 0 : -1}
                      onClick={() => choose(each)}
                    >
                      {Number(each.slice(8))}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const weekdayName = (of: string): string =>
  new Intl.DateTimeFormat(language.value, { weekday: 'narrow', timeZone: 'UTC' }).format(
    new Date(of),
  );

/** The first day of the month of a day, and its weeks, from Monday on. */
function weeksOf(of: string): readonly [first: string, weeks: string[][]] {
  const first = `${of.slice(0, 8)}01`;
  const weeks: string[][] = [];
  let next = shiftDay(first, -((new Date(first).getUTCDay() + 6) % 7));
  while (weeks.length === 0 || next.slice(0, 7) === first.slice(0, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, n) => shiftDay(next, n)));
    next = shiftDay(next, 7);
  }
  return [first, weeks];
}
