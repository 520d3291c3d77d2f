import { Card } from '../../components/Card';
import { DescriptionList } from '../../components/DescriptionList';
import { ago, size, span } from '../../core/amounts';
import { t } from '../../core/i18n';
import type { StatusProps } from './status';

/** What runs here, and from where. */
export function Installation({ status }: StatusProps) {
  const { database, disk, machines, now } = status;
  return (
    <Card title={t('overview.installation')}>
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
    </Card>
  );
}
