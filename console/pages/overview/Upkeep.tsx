import { Card } from '../../components/Card';
import { Copyable } from '../../components/Copyable';
import { DescriptionList } from '../../components/DescriptionList';
import { Icon } from '../../components/Icon';
import { ago, size } from '../../core/amounts';
import { t } from '../../core/i18n';
import { useCommand } from '../../core/service';
import { Jobs } from './Jobs';
import type { StatusProps } from './status';

/** Scheduled work of imgstore, and work that only its operator can do. */
export function Upkeep({ status }: StatusProps) {
  const { now, backup, reclaim, webhooks, jobs, verified_at: verified } = status;
  const when = (stamp: string | null): string => (stamp ? ago(stamp, now) : t('overview.never'));
  return (
    <Card title={t('overview.work')}>
      {!backup && <NoBackup />}
      <DescriptionList
        items={[
          ...(backup ? backupItems(backup, when) : []),
          [t('overview.verified'), when(verified)],
          [
            t('overview.reclaim'),
            t('overview.pending', { count: reclaim.pending, due: reclaim.due }),
          ],
          [
            t('overview.webhooks'),
            t('overview.active', { active: webhooks.active, paused: webhooks.paused }),
          ],
        ]}
      />
      {jobs.length > 0 && <Jobs jobs={jobs} now={now} />}
    </Card>
  );
}

type Backup = NonNullable<StatusProps['status']['backup']>;

const backupItems = (backup: Backup, when: (stamp: string | null) => string) =>
  [
    [t('overview.backup'), `${when(backup.at)} · ${size(backup.megabytes)} · ${backup.repository}`],
    [t('overview.proved'), when(backup.proved_at)],
  ] as const;

/** Everything else here can be made again. */
function NoBackup() {
  const command = useCommand();
  return (
    <div class="caution-note">
      <p class="caution">
        <Icon name="warning" />
        {t('overview.noBackup')}
      </p>
      <p>{t('overview.makeBackup')}</p>
      <Copyable name={t('overview.backupCommand')} value={command('backup DIR')} />
    </div>
  );
}
