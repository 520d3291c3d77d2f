import { useMemo } from 'preact/hooks';
import { Card } from '../../components/Card';
import { day, wholeNumber } from '../../core/amounts';
import type { components } from '../../core/api';
import { number, t } from '../../core/i18n';
import { DayChart } from '../../parts/DayChart';

export type Status = components['schemas']['Status'];

export interface StatusProps {
  readonly status: Status;
}

/** Uploads of the last days; the same as a table for screen readers. */
export function Uploads({ days }: Pick<Status, 'days'>) {
  // A status comes every few seconds: only one that differs draws the chart again.
  const values = useMemo(
    () => days.map(({ date, uploads }) => ({ date, value: uploads })),
    [JSON.stringify(days)],
  );
  const total = days.reduce((sum, { uploads }) => sum + uploads, 0);
  return (
    <Card title={t('overview.uploads')}>
      <DayChart
        label={t('overview.uploadsIn', { count: total, days: days.length })}
        days={values}
        format={wholeNumber}
        kind="bars"
        whole
      />
      <table class="unseen">
        <caption>{t('overview.uploads')}</caption>
        <tbody>
          {days.map(({ date, uploads }) => (
            <tr key={date}>
              <th scope="row">{day(date)}</th>
              <td>{number(uploads)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
