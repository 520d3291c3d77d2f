import { FigureButton } from '../../components/Figure';
import { t } from '../../core/i18n';
import { counted, formatOf, states } from './figures';
import type { DayStatistics, Figure, Statistics } from './figures';

interface FigureCardsProps {
  readonly days: readonly DayStatistics[];
  /** Since the beginning, and now. */
  readonly total: Statistics;
  /** The one whose days are drawn. */
  readonly shown: Figure;
  readonly onShow: (figure: Figure) => void;
}

/** What happened in the days that are shown, and what there is now; each card draws its days. */
export function FigureCards({ days, total, shown, onShow }: FigureCardsProps) {
  const card = (figure: Figure, value: number, note?: string) => (
    <FigureButton
      key={figure}
      label={t(`statistics.figure.${figure}`)}
      value={formatOf(figure)(value)}
      pressed={figure === shown}
      onClick={() => onShow(figure)}
    >
      {note && <span>{note}</span>}
    </FigureButton>
  );
  const sumOf = (figure: Figure): number => days.reduce((sum, { stats }) => sum + stats[figure], 0);
  return (
    <>
      <section class="figure-group" aria-labelledby="counted">
        <h2 id="counted">{t('statistics.inDays', { count: days.length })}</h2>
        <div class="figures">
          {counted.map((figure) =>
            card(
              figure,
              sumOf(figure),
              t('statistics.sinceBeginning', { value: formatOf(figure)(total[figure]) }),
            ),
          )}
        </div>
      </section>
      <section class="figure-group" aria-labelledby="states">
        <h2 id="states">{t('statistics.now')}</h2>
        <div class="figures">{states.map((figure) => card(figure, total[figure]))}</div>
      </section>
    </>
  );
}
