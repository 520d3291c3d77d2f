import { Icon } from '../../components/Icon';
import { day } from '../../core/amounts';
import { t } from '../../core/i18n';
import type { DayRow } from './folded';

interface DayCellProps {
  readonly row: DayRow;
  /** Shows days without anything one by one, or together again. */
  readonly onTurn: () => void;
}

/** The day of a row, or how many days it stands for. */
export function DayCell({ row: { date, quiet }, onTurn }: DayCellProps) {
  if (!quiet) return <>{day(date)}</>;
  const { days: count, first, open } = quiet;
  const text = open ? day(date) : t('statistics.quiet', { count });
  const range = `${day(first)} – ${day(date)}`;
  return (
    <button
      type="button"
      class="quiet-days"
      title={range}
      aria-label={open ? text : `${text}: ${range}`}
      aria-expanded={open}
      onClick={onTurn}
    >
      <Icon name="chevron" />
      {text}
    </button>
  );
}
