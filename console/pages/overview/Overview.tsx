import { ErrorNote } from '../../components/ErrorNote';
import { Figure } from '../../components/Figure';
import { size } from '../../core/amounts';
import { call } from '../../core/api';
import { number, t } from '../../core/i18n';
import { useRead } from '../../core/use-read';
import { Health } from './Health';
import { Installation } from './Installation';
import type { StatusProps } from './status';
import { Storage } from './Storage';
import { Uploads } from './Uploads';
import { Upkeep } from './Upkeep';
import './overview.css';

/** Refresh interval; the server caches a status for five seconds. */
const againMs = 15_000;

export default function Overview() {
  const { data, problem, again } = useRead(
    (signal) => call((client) => client.GET('/api/v1/status', { signal })),
    [],
    againMs,
  );
  return (
    <>
      <h1>{t('overview.title')}</h1>
      <ErrorNote problem={problem} onRetry={again} />
      {data && (
        <div class="overview">
          <Health status={data} />
          <Totals status={data} />
          <div class="columns">
            <div class="span-8">
              <Uploads days={data.days} />
              <Storage status={data} />
            </div>
            <div class="span-4">
              <Upkeep status={data} />
              <Installation status={data} />
            </div>
          </div>
        </div>
      )}
    </>
  );
}

function Totals({ status: { totals } }: StatusProps) {
  return (
    <dl class="figures">
      <Figure label={t('overview.images')} value={number(totals.images)} />
      <Figure label={t('overview.stored')} value={size(totals.stored_mb)} />
      <Figure label={t('overview.users')} value={number(totals.users)} />
      <Figure label={t('overview.platforms')} value={number(totals.platforms)} />
    </dl>
  );
}
