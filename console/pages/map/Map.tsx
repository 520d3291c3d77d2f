import { ErrorNote } from '../../components/ErrorNote';
import { t } from '../../core/i18n';
import { session } from '../../core/session';
import { useRead } from '../../core/use-read';
import { Explorer } from './Explorer';
import { readStart } from './start';
import './map-page.css';

export default function Map() {
  const current = session.value;
  const { data, problem, again } = useRead(
    async (signal) => current && readStart(current, signal),
    [current],
  );
  return (
    <div class="map-page">
      <h1 class="unseen">{t('map.title')}</h1>
      {data && current ? (
        <Explorer session={current} start={data} />
      ) : (
        <div class="map-notes">
          <ErrorNote problem={problem} onRetry={again} />
        </div>
      )}
    </div>
  );
}
