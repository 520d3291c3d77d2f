import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import type { Config } from '../../base/config/options.js';
import { version } from '../../base/installed-files.js';
import { diskSpace } from '../../base/os/machine.js';
import { largestPlatforms, lastDays } from '../../library/statistics/usage-statistics.js';
import { selectFullUsers } from '../../library/users/accounts.js';
import type { WallClock } from '../../base/time.js';
import { secondMs, toMegabytes } from '../../base/units.js';
import { readInstance, readOnlySince } from '../../database/instance.js';
import { allWithin, type Queryable, rows } from '../../database/sql.js';
import { webhookCounts } from '../../feed/webhooks/upkeep.js';
import { atMostEvery, statesOf, type HealthCheck } from '../../http/health.js';
import { reclaimBacklog } from '../../library/reclaim/reclaim.js';
import { readBackupRecords } from '../backup/records.js';
import { lastJobRuns } from '../job-runs.js';
import { readInstallationTotals, readServerVersion } from '../totals.js';
import { verificationStatus } from '../verify/status.js';
import type { Status } from './routes.js';

/** How long a status is cached, for all callers, in milliseconds. */
const freshMs = 5 * secondMs;
/** Longest time for one statement, in milliseconds. */
const limitMs = 5 * secondMs;
/** Lengths of the lists: single platforms, days of uploads, and machines. */
const maxListed = { platforms: 20, days: 30, machines: 100, users: 10 };

interface InstallationParts {
  readonly db: DataSource;
  readonly home: Home;
  readonly config: Config;
  readonly clock: WallClock;
  readonly checks: Readonly<Record<string, HealthCheck>>;
}

/** The part of `imgstore status` that the API offers. */
export class Installation {
  /** @throws QueryFailedError, which is answered with 503, if the database takes too long. */
  readonly status = atMostEvery(freshMs, () => this.#readNow());

  constructor(private readonly parts: InstallationParts) {}

  async #readNow(): Promise<Status> {
    const { db, home, config, clock, checks } = this.parts;
    const stored = await allWithin(db, limitMs, (tx) => this.#stored(tx));
    return {
      now: clock.format(new Date()),
      version: version(),
      uptime_seconds: Math.round(process.uptime()),
      time_zone: clock.zoneName,
      parts: await statesOf(checks),
      ...stored,
      disk: await diskSpace(home.dir),
      backup: await this.#backup(),
      database: {
        kind: config['database.url'] ? 'external' : 'private',
        version: stored.database.version,
      },
    };
  }

  async #stored(tx: Queryable) {
    const { clock } = this.parts;
    const { storedBytes, ...totals } = await readInstallationTotals(tx);
    const { oldest, pending, due, failing } = await reclaimBacklog(
      tx,
      this.parts.config['store.deletion_delay_hours'],
    );
    const verification = await verificationStatus(tx);
    const verifiedAt = verification.objects_verified_at;
    const readOnly = await readOnlySince(tx);
    return {
      database: { version: await readServerVersion(tx) },
      store: (await readInstance(tx)).store,
      machines: (await selectMachines(tx, maxListed.machines)).map((machine) => ({
        ...machine,
        since: clock.format(machine.since),
      })),
      totals: { ...totals, stored_mb: toMegabytes(storedBytes) },
      platforms: (await largestPlatforms(tx, maxListed.platforms)).map((platform) => ({
        platform_id: platform.id,
        platform: platform.name,
        platforms: platform.platforms,
        images: platform.images,
        stored_mb: toMegabytes(platform.bytes),
      })),
      days: (await lastDays(tx, clock.zoneName, maxListed.days)).map((day) => ({
        date: day.date,
        uploads: day.uploads,
        grown_mb: toMegabytes(day.grownBytes),
      })),
      over_quota: overQuota(await selectFullUsers(tx, maxListed.users)),
      reclaim: { pending, due, failing, oldest: oldest ? clock.format(oldest) : null },
      webhooks: await webhookCounts(tx),
      read_only_since: readOnly && clock.format(readOnly),
      jobs: (await lastJobRuns(tx)).map(({ job, beganAt, endedAt, error }) => ({
        job,
        ended_at: clock.format(endedAt),
        ms: endedAt.getTime() - beganAt.getTime(),
        error,
      })),
      differences: verification.differences,
      verified_at: verifiedAt === null ? null : clock.format(new Date(verifiedAt)),
    };
  }

  async #backup(): Promise<Status['backup']> {
    const { home, clock } = this.parts;
    const { backup, drill } = await readBackupRecords(home);
    if (!backup) return null;
    return {
      at: clock.format(new Date(backup.at)),
      repository: backup.repository,
      objects: backup.objects,
      megabytes: toMegabytes(backup.bytes),
      proved_at: drill?.ok === true ? clock.format(new Date(drill.at)) : null,
    };
  }
}

const overQuota = (full: Awaited<ReturnType<typeof selectFullUsers>>): Status['over_quota'] => ({
  count: full[0]?.users ?? 0,
  users: full.map(({ platformId, platform, userId, name, usedBytes, maxBytes }) => ({
    platform_id: platformId,
    platform,
    user_id: userId,
    platform_user_id: name,
    used_storage_mb: toMegabytes(usedBytes),
    max_storage_mb: toMegabytes(maxBytes),
  })),
});

interface ConnectedMachine {
  /** Null for connections over a Unix socket. */
  readonly address: string | null;
  readonly connections: number;
  readonly since: Date;
}

/** Machines that services have connected from, as the database sees them: one row per machine. */
const selectMachines = (db: Queryable, limit: number): Promise<ConnectedMachine[]> =>
  rows(
    db,
    `SELECT host(client_addr) AS address, count(*)::int AS connections, min(backend_start) AS since
     FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'imgstore'
     GROUP BY 1 ORDER BY 1 NULLS FIRST LIMIT $1`,
    [limit],
  );
