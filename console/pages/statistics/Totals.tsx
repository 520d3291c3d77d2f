import { t } from '../../core/i18n';
import { counted, formatOf, states } from './figures';
import type { Figure, Statistics } from './figures';

/** What has been counted since the beginning, and what is there now. */
export function Totals({ total }: { readonly total: Statistics }) {
  const list = (figures: readonly Figure[]) => (
    <dl class="totals">
      {figures.map((figure) => (
        <div key={figure}>
          <dt>{t(`statistics.figure.${figure}`)}</dt>
          <dd>{formatOf(figure)(total[figure])}</dd>
        </div>
      ))}
    </dl>
  );
  return (
    <section class="panel" aria-labelledby="totals">
      <h2 id="totals">{t('statistics.sinceBeginning')}</h2>
      {list(counted)}
      <h2>{t('statistics.now')}</h2>
      {list(states)}
    </section>
  );
}
