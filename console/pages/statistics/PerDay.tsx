import { useState } from 'preact/hooks';
import { Select } from '../../components/Select';
import { Table } from '../../components/Table';
import type { Column } from '../../components/Table';
import { day } from '../../core/amounts';
import { apiDay } from '../../core/days';
import { t } from '../../core/i18n';
import { DayChart } from '../../parts/DayChart';
import { csv } from './csv';
import { figures, formatOf, isCounted, isSize } from './figures';
import type { DayStatistics, Figure } from './figures';
import { Panel } from './Panel';
import type { Range } from './read';

interface PerDayProps {
  readonly days: readonly DayStatistics[];
  readonly range: Range;
}

export const figureColumns = <Row,>(statsOf: (row: Row) => DayStatistics['stats']): Column<Row>[] =>
  figures.map((figure) => ({
    title: t(`statistics.figure.${figure}`),
    numeric: true,
    cell: (row) => formatOf(figure)(statsOf(row)[figure]),
  }));

/** A chart of one figure, and the same days with all of them in a table. */
export function PerDay({ days, range }: PerDayProps) {
  const [figure, setFigure] = useState<Figure>('total_upload');
  const title = t(`statistics.figure.${figure}`);
  return (
    <Panel
      title={t('statistics.perDay')}
      csv={() => csvOf(days)}
      filename={`imgstore-${range.from}-${range.to}.csv`}
    >
      <Select
        label={t('statistics.figure')}
        value={figure}
        options={figures.map((value) => ({ value, label: t(`statistics.figure.${value}`) }))}
        onChange={setFigure}
      />
      <DayChart
        label={t('statistics.chart', { figure: title, ...wordsOf(range) })}
        days={valuesOf(days, figure)}
        format={formatOf(figure)}
        kind={isCounted(figure) ? 'bars' : 'line'}
        whole={!isSize(figure)}
      />
      <Table
        wide
        label={t('statistics.perDay')}
        rows={days.toReversed()}
        keyOf={({ date }) => String(date)}
        columns={[
          { title: t('statistics.day'), cell: ({ date }: DayStatistics) => day(date) },
          ...figureColumns(({ stats }: DayStatistics) => stats),
        ]}
      />
    </Panel>
  );
}

const wordsOf = ({ from, to }: Range) => ({ from: day(apiDay(from)), to: day(apiDay(to)) });

const valuesOf = (days: readonly DayStatistics[], figure: Figure) =>
  days.map(({ date, stats }) => ({ date, value: stats[figure] }));

/** Columns are named as in the API, regardless of the reader's language. */
const csvOf = (days: readonly DayStatistics[]): Blob =>
  csv([
    ['date', ...figures],
    ...days.map(({ date, stats }) => [date, ...figures.map((figure) => stats[figure])]),
  ]);
