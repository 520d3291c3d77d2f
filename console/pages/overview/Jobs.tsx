import { Icon } from '../../components/Icon';
import { ago } from '../../core/amounts';
import { t } from '../../core/i18n';
import type { PlainKey } from '../../core/i18n';
import type { Status } from './status';

/** The names of the API; a job that the console does not know is shown with that name. */
const names = new Map<string, PlainKey>([
  ['reclaim objects', 'job.reclaimObjects'],
  ['roll up statistics', 'job.rollUpStatistics'],
  ['sum up maps of platforms', 'job.sumUpMapsOfPlatforms'],
  ['expire trash', 'job.expireTrash'],
  ['expire changes', 'job.expireChanges'],
  ['forget expired refresh tokens', 'job.forgetExpiredRefreshTokens'],
  ['forget old idempotency keys', 'job.forgetOldIdempotencyKeys'],
  ['forget upload sets left open', 'job.forgetUploadSetsLeftOpen'],
  ['forget ended links', 'job.forgetEndedLinks'],
  ['expire uploads', 'job.expireUploads'],
  ['verify stored bytes', 'job.verifyStoredBytes'],
  ['read metadata', 'job.readMetadata'],
  ['forget old acts of administrators', 'job.forgetOldActsOfAdministrators'],
  ['delete platforms', 'job.deletePlatforms'],
  ['finish large changes', 'job.finishLargeChanges'],
  ['make backup', 'job.makeBackup'],
  ['forget ended narrow tokens', 'job.forgetEndedNarrowTokens'],
]);

const nameOf = (job: string): string => {
  const key = names.get(job);
  return key ? t(key) : job;
};

/** The last run of each job, failed ones first. */
export function Jobs({ jobs, now }: Pick<Status, 'jobs' | 'now'>) {
  const sorted = jobs.toSorted((a, b) => Number(a.error === null) - Number(b.error === null));
  return (
    <>
      <h3>{t('overview.jobs')}</h3>
      <ul class="jobs">
        {sorted.map(({ job, ended_at: ended, error }) => (
          <li key={job} class={error === null ? 'good' : 'bad'}>
            <Icon name={error === null ? 'check' : 'warning'} />
            <span>
              {nameOf(job)}
              {error !== null && `: ${error}`}
            </span>
            <span class="muted">{ago(ended, now)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
