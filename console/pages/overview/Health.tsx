import { DescriptionList } from '../../components/DescriptionList';
import { Icon } from '../../components/Icon';
import { ago, size, span } from '../../core/amounts';
import { t } from '../../core/i18n';
import type { PlainKey } from '../../core/i18n';
import { Card } from './card';
import type { Status } from './card';

/** The parts that /readyz names; one that the console does not know is shown with that name. */
const names: Readonly<Record<string, PlainKey>> = {
  database: 'part.database',
  migrations: 'part.migrations',
  store: 'part.store',
  disk: 'part.disk',
  imaging: 'part.imaging',
};

export function Health({ status }: { readonly status: Status }) {
  const { parts, database, disk, machines, now } = status;
  const down = Object.values(parts).includes('down');
  return (
    <Card title={t('overview.health')}>
      <p class={down ? 'verdict bad' : 'verdict good'}>
        <Icon name={down ? 'warning' : 'check'} />
        {t(down ? 'overview.down' : 'overview.ready')}
      </p>
      <ul class="parts">
        {Object.entries(parts).map(([part, state]) => (
          <li key={part} class={state === 'ok' ? 'good' : 'bad'}>
            <Icon name={state === 'ok' ? 'check' : 'warning'} />
            {names[part] ? t(names[part]) : part}
            <span class="unseen">{t(state === 'ok' ? 'overview.works' : 'overview.fails')}</span>
          </li>
        ))}
      </ul>
      <DescriptionList
        items={[
          [t('overview.version'), `imgstore ${status.version}`],
          [t('overview.uptime'), span(status.uptime_seconds)],
          [t('overview.database'), `PostgreSQL ${database.version}`],
          [
            t('overview.disk'),
            t('overview.free', { free: size(disk.free_mb), total: size(disk.total_mb) }),
          ],
          [t('overview.zone'), status.time_zone],
        ]}
      />
      <h3>{t('overview.machines')}</h3>
      <DescriptionList
        items={machines.map(({ address, connections, since }) => [
          address ?? t('overview.sameMachine'),
          `${t('overview.connections', { count: connections })} · ${ago(since, now)}`,
        ])}
      />
      {status.differences > 0 && (
        <p class="bad">{t('overview.differences', { count: status.differences })}</p>
      )}
    </Card>
  );
}
