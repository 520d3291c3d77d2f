import { useMemo, useState } from 'preact/hooks';
import { Icon } from '../../components/Icon';
import { Table } from '../../components/Table';
import { day } from '../../core/amounts';
import { apiDay } from '../../core/days';
import { t } from '../../core/i18n';
import { DayChart } from '../../parts/DayChart';
import { csv } from '../../core/save';
import { figures, formatOf, isCounted, isSize } from './figures';
import type { DayStatistics, Figure, Range } from './figures';
import { folded } from './folded';
import type { DayRow } from './folded';
import { Exported, figureColumns } from './Tables';

interface PerDayProps {
  readonly days: readonly DayStatistics[];
  readonly range: Range;
  /** The figure that is drawn. */
  readonly figure: Figure;
}

/** A chart of one figure, and the same days with all of them in a table. */
export function PerDay({ days, range, figure }: PerDayProps) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const turn = (date: number): void =>
    setOpened(
      (before) =>
        new Set(before.has(date) ? [...before].filter((each) => each !== date) : [...before, date]),
    );
  const title = t(`statistics.figure.${figure}`);
  const values = useMemo(
    () => days.map(({ date, stats }) => ({ date, value: stats[figure] })),
    [days, figure],
  );
  return (
    <Exported
      title={t('statistics.perDay')}
      csv={() => csvOf(days)}
      filename={`imgstore-${range.from}-${range.to}.csv`}
    >
      <DayChart
        label={t('statistics.chart', { figure: title, ...wordsOf(range) })}
        days={values}
        format={formatOf(figure)}
        kind={isCounted(figure) ? 'bars' : 'line'}
        whole={!isSize(figure)}
      />
      <Table
        wide
        label={t('statistics.perDay')}
        rows={folded(days, opened)}
        keyOf={({ date }) => String(date)}
        columns={[
          {
            title: t('statistics.day'),
            share: 2,
            cell: (row: DayRow) => <DayCell row={row} onTurn={() => turn(row.date)} />,
          },
          ...figureColumns(({ stats }: DayRow) => stats),
        ]}
      />
    </Exported>
  );
}

const wordsOf = ({ from, to }: Range) => ({ from: day(apiDay(from)), to: day(apiDay(to)) });

/** Columns are named as in the API, regardless of the reader's language. */
const csvOf = (days: readonly DayStatistics[]): Blob =>
  csv([
    ['date', ...figures],
    ...days.map(({ date, stats }) => [date, ...figures.map((figure) => stats[figure])]),
  ]);

interface DayCellProps {
  readonly row: DayRow;
  /** Shows days without anything one by one, or together again. */
  readonly onTurn: () => void;
}

/** The day of a row, or how many days it stands for. */
function DayCell({ row: { date, quiet }, onTurn }: DayCellProps) {
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
