import { useEffect, useRef } from 'preact/hooks';
import { day } from '../../core/amounts';
import { language, number, t } from '../../core/i18n';
import { isDark } from '../../core/theme';
import { Card } from './card';
import type { Status } from './card';
import { drawChart } from './draw-chart';

type Days = Status['days'];

/** Uploads of the last days; the same as a table for screen readers. */
export function UploadChart({ days }: { readonly days: Days }) {
  const place = useRef<HTMLDivElement>(null);
  const dark = isDark();
  useEffect(() => {
    const node = place.current;
    return node ? drawChart(node, days) : undefined;
  }, [days, dark, language.value]);
  const total = days.reduce((sum, { uploads }) => sum + uploads, 0);
  return (
    <Card title={t('overview.uploads')} wide>
      <p class="muted">{t('overview.uploadsIn', { count: total, days: days.length })}</p>
      <div ref={place} class="chart" aria-hidden="true" />
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
