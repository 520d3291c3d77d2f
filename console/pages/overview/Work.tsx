import { DescriptionList } from '../../components/DescriptionList';
import { Icon } from '../../components/Icon';
import { ago, size } from '../../core/amounts';
import { t } from '../../core/i18n';
import { Card } from './card';
import type { Status } from './card';

/** Scheduled work of imgstore, and work that only its operator can do. */
export function Work({ status }: { readonly status: Status }) {
  const { now, backup, reclaim, webhooks, jobs, verified_at: verified } = status;
  return (
    <Card title={t('overview.work')}>
      <DescriptionList
        items={[
          [
            t('overview.backup'),
            backup
              ? `${ago(backup.at, now)} · ${size(backup.megabytes)} · ${backup.repository}`
              : t('overview.noBackup'),
          ],
          [
            t('overview.proved'),
            backup?.proved_at ? ago(backup.proved_at, now) : t('overview.never'),
          ],
          [t('overview.verified'), verified ? ago(verified, now) : t('overview.never')],
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
      <h3>{t('overview.jobs')}</h3>
      <ul class="jobs">
        {jobs.map(({ job, ended_at: ended, error }) => (
          <li key={job} class={error === null ? 'good' : 'bad'}>
            <Icon name={error === null ? 'check' : 'warning'} />
            <span>
              {job}
              {error !== null && `: ${error}`}
            </span>
            <span class="muted">{ago(ended, now)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
