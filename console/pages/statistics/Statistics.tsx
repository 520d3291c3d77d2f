import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { ErrorNote } from '../../components/ErrorNote';
import { Field } from '../../components/Field';
import { FigureButton } from '../../components/Figure';
import { Select } from '../../components/Select';
import { daysBetween, shiftDay, todayIn } from '../../core/days';
import { t } from '../../core/i18n';
import { serviceSettings } from '../../core/service';
import { session } from '../../core/session';
import type { Session } from '../../core/session';
import { useRead } from '../../core/use-read';
import { counted, formatOf, readUsage, states } from './figures';
import type {
  DayStatistics,
  Figure,
  PlatformFigures,
  Range,
  Statistics as Totals,
} from './figures';
import { PerDay } from './PerDay';
import { ByPlatform, ByUser } from './Tables';
import './statistics.css';

export default function Statistics() {
  const { data, problem, again } = useRead(() => serviceSettings(), []);
  return (
    <>
      <h1>{t('statistics.title')}</h1>
      <ErrorNote problem={problem} onRetry={again} />
      {data && session.value && <Usage session={session.value} zone={data.time_zone} />}
    </>
  );
}

interface UsageProps {
  readonly session: Session;
  readonly zone: string;
}

/** Length of the initial range, in days. */
const firstLength = 30;

function Usage({ session: current, zone }: UsageProps) {
  const today = todayIn(zone);
  const [picked, setPicked] = useState<Range>(() => lastDays(today, firstLength));
  const [shown, setShown] = useState(picked);
  const [only, setOnly] = useState('');
  const [figure, setFigure] = useState<Figure>('total_upload');
  const { data, problem, again } = useRead(
    (signal) => readUsage(current, shown, only, signal),
    [current, shown.from, shown.to, only],
  );
  const pick = (range: Range): void => {
    setPicked(range);
    if (!faultOf(range)) setShown(range);
  };
  const platforms = data?.platforms ?? [];
  const platform = current.platformId ?? only;
  return (
    <>
      <div class="range-picker">
        {platforms.length > 0 && <WhosePicker platforms={platforms} only={only} onOnly={setOnly} />}
        <RangePicker range={picked} today={today} onPick={pick} />
        <p class="hint">{t('statistics.zone', { zone })}</p>
      </div>
      <ErrorNote problem={problem} onRetry={again} />
      {data && (
        <>
          <FigureCards days={data.days} total={data.total} shown={figure} onShow={setFigure} />
          <PerDay days={data.days} range={shown} figure={figure} />
        </>
      )}
      {platforms.length > 0 && <ByPlatform platforms={platforms} range={shown} />}
      {data && platform && <ByUser key={platform} platform={platform} />}
    </>
  );
}

interface WhosePickerProps {
  readonly platforms: readonly PlatformFigures[];
  /** The platform whose figures are shown; empty for all. */
  readonly only: string;
  readonly onOnly: (platformId: string) => void;
}

/** An administrator looks at all platforms, or at one. */
function WhosePicker({ platforms, only, onOnly }: WhosePickerProps) {
  const choices = platforms.map(({ platform_id: value, platform: label }) => ({ value, label }));
  return (
    <Select
      label={t('statistics.only')}
      value={only}
      options={[{ value: '', label: t('statistics.allPlatforms') }, ...choices]}
      onChange={onOnly}
    />
  );
}

interface RangePickerProps {
  readonly range: Range;
  /** In the time zone of the service. */
  readonly today: string;
  readonly onPick: (range: Range) => void;
}

/** Maximum days in one answer of the API. */
const maxDays = 3_660;

const lengths = [7, 30, 90, 365];

const lastDays = (today: string, days: number): Range => ({
  from: shiftDay(today, 1 - days),
  to: today,
});

/** What is wrong with a range, if anything. */
function faultOf({ from, to }: Range): string | undefined {
  if (!from || !to) return t('statistics.noDay');
  if (to < from) return t('statistics.backwards');
  if (daysBetween(from, to) >= maxDays) return t('statistics.tooLong', { most: maxDays });
  return undefined;
}

function RangePicker({ range, today, onPick }: RangePickerProps) {
  const presets = lengths.map((days) => ({ days, preset: lastDays(today, days) }));
  return (
    <>
      <Field
        type="date"
        label={t('statistics.from')}
        value={range.from}
        onInput={(from) => onPick({ ...range, from })}
      />
      <Field
        type="date"
        label={t('statistics.to')}
        value={range.to}
        onInput={(to) => onPick({ ...range, to })}
        error={faultOf(range)}
      />
      <div class="range-presets">
        {presets.map(({ days, preset }) => (
          <Button
            key={days}
            variant={preset.from === range.from && preset.to === range.to ? 'primary' : 'plain'}
            onClick={() => onPick(preset)}
          >
            {t('statistics.lastDays', { count: days })}
          </Button>
        ))}
      </div>
    </>
  );
}

interface FigureCardsProps {
  readonly days: readonly DayStatistics[];
  /** Since the beginning, and now. */
  readonly total: Totals;
  /** The one whose days are drawn. */
  readonly shown: Figure;
  readonly onShow: (figure: Figure) => void;
}

/** What happened in the days that are shown, and what there is now; each card draws its days. */
function FigureCards({ days, total, shown, onShow }: FigureCardsProps) {
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
