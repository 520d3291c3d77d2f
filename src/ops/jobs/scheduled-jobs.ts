import type { DataSource } from 'typeorm';
import { expireActs } from '../../http/audit/acts.js';
import { forgetFormerUsers } from '../../http/auth/identities.js';
import { forgetNarrowTokens } from '../../http/auth/narrow-tokens.js';
import { forgetSessions } from '../../http/auth/sessions.js';
import { forgetExpiredTokens } from '../../http/auth/tokens.js';
import { verifyCustody } from '../../feed/custody/verify.js';
import { expireChanges } from '../../feed/changes/upkeep.js';
import type { Config } from '../../base/config/options.js';
import { expireKeys } from '../../http/idempotency/keys.js';
import { rollUp } from '../../library/statistics/roll-up.js';
import type { ObjectStore } from '../../store/port.js';
import type { Home } from '../../base/config/home.js';
import { makeScheduledBackup } from '../backup/scheduled.js';
import { spareSpace } from '../../base/os/machine.js';
import { toBytes } from '../../base/units.js';
import type { Logger } from '../../base/telemetry/logger.js';
import { setLegalHolds } from '../../library/holds/legal-holds.js';
import { tryWithLock, withLock } from '../../database/locks.js';
import { readNightly } from '../verify/verify.js';
import { reclaimOnce } from '../../library/reclaim/reclaim.js';
import { JobRecords, lastJobRuns, type JobName } from '../job-runs.js';
import type { Maintenance } from '../../http/maintenance.js';
import { type Job, Scheduler } from './scheduler.js';
import { emptyTrash } from '../../library/tree/trash.js';
import { finishAllChanges } from '../../library/tree/bulk-changes.js';
import { removePlatforms } from '../../library/tree/platform-removal.js';
import { forgetArchives } from '../../library/images/archive/addresses.js';
import { forgetEndedLinks } from '../../library/links/links.js';
import { expireUploads } from '../../library/resumable/upkeep.js';
import { forgetStaleSets } from '../../library/upload-sets/upload-sets.js';
import { sumUpPlatformMaps } from '../../library/images/map/upkeep.js';
import { countUnread, readUnread } from '../../library/images/unread.js';
import { WallClock } from '../../base/time.js';
import type { OpenImaging } from './own-imaging.js';

/** What the jobs work on. */
export interface JobParts {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly config: Config;
  readonly openImaging: OpenImaging;
  readonly home: Home;
  readonly logger: Logger;
  /** Takes up uploads that are complete; absent outside of a service, which alone can store images. */
  readonly finishUploads?: (signal: AbortSignal) => Promise<unknown>;
}

/** Starts the scheduled jobs, and those that were missed; times are in the configured zone. */
export async function startJobs(
  parts: JobParts & { readonly maintenance: Maintenance },
): Promise<Scheduler> {
  const { db, config, logger } = parts;
  const records = new JobRecords(db, logger);
  const ran = await lastJobRuns(db);
  return new Scheduler(scheduledJobs(parts), config.timezone, { ...parts, records, ran });
}

/** A job whose name the shell can complete. */
type KnownJob = Job & { readonly name: JobName };

export const scheduledJobs = (parts: JobParts): KnownJob[] => [
  {
    name: 'reclaim objects',
    when: '* * * * *',
    run: (signal) => reclaim(parts, signal),
  },
  {
    name: 'roll up statistics',
    // Shortly after midnight and then hourly: in case the machine is asleep at night, or the clock
    // skips midnight, and so that reads never have to sum much of the ledger.
    when: '2 * * * *',
    atStart: true,
    run: (signal) =>
      withLock(parts.db, 'rollUp', signal, (session) =>
        rollUp(session, { zone: parts.config.timezone, signal }),
      ),
  },
  {
    name: 'sum up maps of platforms',
    when: '* * * * *',
    atStart: true,
    run: (signal) => sumUpPlatformMaps(parts.db, signal),
  },
  ...trashExpiry(parts),
  ...changeExpiry(parts),
  ...namedTokenExpiry(parts),
  {
    name: 'forget expired refresh tokens',
    when: '17 3 * * *',
    run: async () => {
      await forgetFormerUsers(parts.db);
      return forgetExpiredTokens(parts.db);
    },
  },
  {
    name: 'forget old idempotency keys',
    when: '5-59/10 * * * *',
    run: (signal) => expireKeys(parts.db, parts.config['idempotency.retention_hours'], signal),
  },
  ...uploadSetExpiry(parts),
  {
    name: 'forget ended links',
    when: '57 3 * * *',
    run: async (signal) => {
      await forgetArchives(parts.db);
      return forgetEndedLinks(parts.db, signal);
    },
  },
  {
    name: 'expire uploads',
    when: '* * * * *',
    run: (signal) => resumableUploads(parts, signal),
  },
  ...contentReading(parts),
  ...logChecking(parts),
  ...metadataReading(parts),
  ...actExpiry(parts),
  {
    name: 'delete platforms',
    when: '* * * * *',
    run: (signal) => removePlatforms({ db: parts.db, signal }),
  },
  {
    name: 'finish large changes',
    when: '* * * * *',
    atStart: true,
    run: (signal) => finishAllChanges(parts.db, signal),
  },
  {
    name: 'set legal holds',
    when: '* * * * *',
    run: (signal) => setLegalHolds(parts.db, parts.store, signal),
  },
  ...backups(parts),
];

function backups({ db, home, config }: JobParts): KnownJob[] {
  const { 'backup.to': place, 'backup.schedule': time } = config;
  if (place === undefined) return [];
  const run = (signal: AbortSignal) =>
    tryWithLock(db, 'backup', () => makeScheduledBackup({ home, config, place, signal }));
  const [hour, minute] = time.split(':').map(Number);
  return [{ name: 'make backup', when: `${minute} ${hour} * * *`, inMaintenance: true, run }];
}

function actExpiry({ db, config }: JobParts): KnownJob[] {
  const days = config['audit.retention_days'];
  if (days === 0) return [];
  const run = (signal: AbortSignal): Promise<unknown> => expireActs(db, { days, signal });
  return [{ name: 'forget old acts of administrators', when: '37 3 * * *', run }];
}

/** Narrow tokens and sessions that neither the audit nor the change feed can name any more. */
function namedTokenExpiry({ db, config }: JobParts): KnownJob[] {
  const days = [config['audit.retention_days'], config['changes.retention_days']];
  if (days.includes(0)) return [];
  const run = async (): Promise<void> => {
    await forgetNarrowTokens(db, Math.max(...days));
    await forgetSessions(db, Math.max(...days));
  };
  return [{ name: 'forget ended tokens and sessions', when: '27 3 * * *', run }];
}

async function resumableUploads({ db, config, finishUploads }: JobParts, signal: AbortSignal) {
  const finished = await finishUploads?.(signal);
  const hours = config['idempotency.retention_hours'];
  const expired = await expireUploads({ db, hours, signal });
  return { ...expired, finished };
}

async function reclaim({ db, store, config, home, logger }: JobParts, signal: AbortSignal) {
  const delayHours = config['store.deletion_delay_hours'];
  const mark = config['limits.min_free_disk_mb'];
  const lacking = -(await spareSpace(home.store, mark && toBytes(mark)));
  const result = await reclaimOnce({ dataSource: db, store, delayHours, lacking, signal });
  if (result.failed > 0) logger.warn('some objects could not be deleted; will retry later', result);
  return result;
}

function trashExpiry({ db, config, logger }: JobParts): KnownJob[] {
  const days = config['trash.retention_days'];
  if (days === 0) return [];
  const run = async (signal: AbortSignal) => {
    const emptied = await withLock(db, 'trashExpiry', signal, (session) =>
      emptyTrash({ db: session, scope: {}, actor: 'system', days, signal }),
    );
    const { images = 0, folders = 0, holds = [] } = emptied ?? {};
    if (images + folders + holds.length > 0) logger.info('trash expired', emptied);
    return emptied;
  };
  return [{ name: 'expire trash', when: '47 3 * * *', run }];
}

function changeExpiry({ db, config }: JobParts): KnownJob[] {
  const kept = { days: config['changes.retention_days'], perUser: config['changes.max_per_user'] };
  const run = (signal: AbortSignal): Promise<unknown> =>
    withLock(db, 'changeExpiry', signal, (session) => expireChanges(session, { ...kept, signal }));
  return [{ name: 'expire changes', when: '7 * * * *', run }];
}

function uploadSetExpiry({ db, config, logger }: JobParts): KnownJob[] {
  const days = config['upload_sets.retention_days'];
  if (days === 0) return [];
  const run = async (signal: AbortSignal) => {
    const forgotten = await forgetStaleSets({ db, days, signal });
    if (forgotten.uploadSets > 0) logger.info('upload sets left open were forgotten', forgotten);
    return forgotten;
  };
  return [{ name: 'forget upload sets left open', when: '27 3 * * *', run }];
}

/** Pauses three times as long as it reads: requests have priority. */
const rest = 3;

function contentReading({ db, store, config, logger }: JobParts): KnownJob[] {
  const budget = config['verify.bytes_per_night'];
  if (budget === 0) return [];
  const run = async (signal: AbortSignal) => {
    const read = await readNightly({ db, store, signal, reading: { budget, rest } });
    if (read && read.differences > 0) {
      logger.error('stored files are missing or damaged; see "imgstore verify"', read);
    }
    return read;
  };
  return [{ name: 'verify stored bytes', when: '37 2 * * *', inMaintenance: true, run }];
}

/** With the nightly reading, since it is as much work: what that finds intact may still be another picture. */
function logChecking({ db, home, config, logger }: JobParts): KnownJob[] {
  if (config['verify.bytes_per_night'] === 0) return [];
  const run = (signal: AbortSignal) =>
    tryWithLock(db, 'custodyCheck', async () => {
      const verified = await verifyCustody({ db, home, signal });
      if (!verified.ok) {
        logger.error('images are not what the logs say; see "imgstore custody verify"', {
          differences: verified.differences_total,
          images: verified.differences.slice(0, 20).map(({ image_id: id, what }) => id ?? what),
        });
      }
      return { entries: verified.entries, differences: verified.differences_total };
    });
  return [{ name: 'verify logs', when: '7 4 * * *', inMaintenance: true, run }];
}

function metadataReading({ db, store, config, openImaging, logger }: JobParts): KnownJob[] {
  const budget = config['metadata.bytes_per_night'] ?? config['verify.bytes_per_night'];
  if (budget === 0) return [];
  const clock = new WallClock(config.timezone);
  const run = (signal: AbortSignal) =>
    tryWithLock(db, 'metadata', async (session) => {
      if ((await countUnread(session, 1)) === 0) return undefined;
      const work = { db: session, store, clock };
      const read = await openImaging((imaging, folder) =>
        readUnread({ ...work, imaging, folder, budget, rest, signal }),
      );
      logger.info('older files were read for what their cameras knew', read);
      return read;
    });
  return [{ name: 'read metadata', when: '57 1 * * *', run }];
}
