import { DescriptionList } from '../../components/DescriptionList';
import { t } from '../../core/i18n';
import { counted, formatOf, states } from './figures';
import type { Figure, Statistics } from './figures';

/** Counts since the beginning, and the present totals. */
export function Totals({ total }: { readonly total: Statistics }) {
  const list = (figures: readonly Figure[]) => (
    <DescriptionList
      variant="totals"
      items={figures.map((figure) => [
        t(`statistics.figure.${figure}`),
        formatOf(figure)(total[figure]),
      ])}
    />
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
