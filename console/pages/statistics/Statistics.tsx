import { useState } from 'preact/hooks';
import { ErrorNote } from '../../components/ErrorNote';
import { todayIn } from '../../core/days';
import { t } from '../../core/i18n';
import { serviceSettings } from '../../core/service';
import { session } from '../../core/session';
import type { Session } from '../../core/session';
import { useRead } from '../../core/use-read';
import { ByPlatform } from './ByPlatform';
import { ByUser } from './ByUser';
import { FigureCards } from './FigureCards';
import type { Figure } from './figures';
import { PerDay } from './PerDay';
import { faultOf, lastDays, RangePicker } from './RangePicker';
import { readUsage } from './read';
import type { Range } from './read';
import { WhosePicker } from './WhosePicker';
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
