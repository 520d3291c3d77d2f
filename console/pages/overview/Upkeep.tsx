import { Card } from '../../components/Card';
import { Copyable } from '../../components/Copyable';
import { DescriptionList } from '../../components/DescriptionList';
import { Icon } from '../../components/Icon';
import { ago, size, span, time } from '../../core/amounts';
import { number, t } from '../../core/i18n';
import { useCommand } from '../../core/service';
import { jobInWords } from './jobs';
import type { Status, StatusProps } from './Uploads';

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

type Backup = NonNullable<Status['backup']>;

/** When, where, and what it holds. */
const backupItems = (backup: Backup, when: (stamp: string | null) => string) =>
  [
    [t('overview.backup'), `${when(backup.at)} · ${backup.repository}`],
    [
      t('overview.backupHolds'),
      `${t('overview.files', { count: backup.objects })} · ${size(backup.megabytes)}`,
    ],
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

/** The last run of each job, failed ones first; how long it took is in the tooltip. */
function Jobs({ jobs, now }: Pick<Status, 'jobs' | 'now'>) {
  const sorted = jobs.toSorted((a, b) => Number(a.error === null) - Number(b.error === null));
  return (
    <>
      <h3>{t('overview.jobs')}</h3>
      <ul class="jobs">
        {sorted.map(({ job, ended_at: ended, ms, error }) => (
          <li key={job} class={error === null ? 'good' : 'bad'}>
            <Icon name={error === null ? 'check' : 'warning'} />
            <span>
              {jobInWords(job)}
              <span class="unseen">{t(error === null ? 'overview.ended' : 'overview.failed')}</span>
              {error !== null && `: ${error}`}
            </span>
            <span
              class="muted"
              title={`${time(ended)} · ${t('webhooks.took', { ms: number(ms) })}`}
            >
              {ago(ended, now)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

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
