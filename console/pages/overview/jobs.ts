import { t } from '../../core/i18n';
import type { PlainKey } from '../../core/i18n';

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
  ['verify logs', 'job.verifyLogs'],
  ['read metadata', 'job.readMetadata'],
  ['forget old acts of administrators', 'job.forgetOldActsOfAdministrators'],
  ['delete platforms', 'job.deletePlatforms'],
  ['finish large changes', 'job.finishLargeChanges'],
  ['set legal holds', 'job.setLegalHolds'],
  ['make backup', 'job.makeBackup'],
  ['forget ended tokens and sessions', 'job.forgetEndedTokens'],
]);

export const jobInWords = (job: string): string => {
  const key = names.get(job);
  return key ? t(key) : job;
};
