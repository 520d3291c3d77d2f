import { ErrorNote } from '../../components/ErrorNote';
import { call } from '../../core/api';
import { t } from '../../core/i18n';
import { useRead } from '../../core/use-read';
import { Contents } from './Contents';
import { Health } from './Health';
import { Storage } from './Storage';
import { UploadChart } from './UploadChart';
import { Work } from './Work';
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
          <Contents status={data} />
          <UploadChart days={data.days} />
          <Storage status={data} />
          <Work status={data} />
        </div>
      )}
    </>
  );
}
