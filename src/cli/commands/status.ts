import type { FeedHolder } from '../../feed/changes/upkeep.js';
import type { Config } from '../../base/config/options.js';
import { dependencyDown } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { WallClock } from '../../base/time.js';
import { diskSpace } from '../../base/os/machine.js';
import {
  bytesPerMegabyte,
  toMegabytes,
  secondMs,
  counted,
  sizeText,
  agoText,
  spanText,
} from '../../base/units.js';
import type { StoreLocation } from '../../database/instance.js';
import { loadFfmpeg } from '../../imaging/ffmpeg.js';
import type { VerificationStatus } from '../../ops/verify/status.js';
import {
  type BackupRecords,
  readBackupRecords,
  readWalRecord,
  type WalRecord,
} from '../../ops/backup/records.js';
import type { HoldRecord } from '../../library/holds/schemas.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { connectDatabase } from '../open.js';
import { holdText } from './hold.js';
import { requireService } from '../running-service.js';

export const command: CommandDetails = {
  examples: ['status', 'status --json'],
  run: showStatus,
};

/** The last run of a job that has ended, on whichever node. */
interface LastRun {
  readonly job: string;
  readonly ended_at: string;
  readonly ms: number;
  readonly error: string | null;
}

/** What `imgstore status --json` prints. */
interface ServiceStatus {
  readonly address: string;
  readonly pid: number;
  readonly version: string;
  readonly uptime_seconds: number;
  readonly public_url: string | null;
  readonly home: string;
  readonly ready: true;
  readonly parts: Readonly<Record<string, string>>;
  readonly database: 'external' | 'private';
  /** The host of the database that takes writes; null if it has only one. */
  readonly database_host: string | null;
  /** Version of the database server. */
  readonly postgresql: string;
  readonly store: string;
  readonly disk: { readonly free_mb: number; readonly total_mb: number };
  readonly heif_decoder: string;
  readonly counts: {
    readonly platforms: number;
    readonly users: number;
    readonly images: number;
    readonly stored_mb: number;
  };
  readonly reclaim: {
    /** Objects waiting to be deleted, or for their upload to finish. */
    readonly pending: number;
    readonly due: number;
    /** Objects that could not be deleted so far. */
    readonly failing: number;
    /** Those of deleted images, kept for store.deletion_delay_hours. */
    readonly waiting: number;
    readonly waiting_mb: number;
    readonly oldest: string | null;
  };
  /** What is kept from deletion, oldest first; at most 100 of them. */
  readonly holds: { readonly lasting: number; readonly oldest: readonly HoldRecord[] };
  /** Since when maintenance has refused changes; null outside of it. */
  readonly read_only_since: string | null;
  readonly webhooks: { readonly active: number; readonly paused: number };
  /** The transaction that has held up change feeds and webhooks for more than a minute, if there is one. */
  readonly feed_held_by: FeedHolder | null;
  readonly verification: VerificationStatus;
  /** Images from before an upgrade whose files the job "read metadata" has yet to read. */
  readonly unread_images: number;
  readonly jobs: readonly LastRun[];
  readonly backups: BackupRecords;
  /** Null for a home whose WAL was never archived. */
  readonly wal: WalRecord | null;
}

const megabytes = (n: number): string => sizeText(n * bytesPerMegabyte);

/** A status for people. */
function describeStatus(status: ServiceStatus): string {
  const { counts, disk, reclaim, webhooks, jobs } = status;
  const lines: [title: string, text: string][] = [
    ['running', `${status.address} (process ${status.pid})`],
    ...(status.public_url === null
      ? []
      : [['public', status.public_url] satisfies [string, string]]),
    ...(status.read_only_since === null
      ? []
      : [['read-only', maintenanceText(status.read_only_since)] satisfies [string, string]]),
    ['docs', `${status.public_url ?? status.address}/docs`],
    ['version', `imgstore ${status.version}, up ${spanText(status.uptime_seconds)}`],
    ['home', status.home],
    ['database', databaseText(status)],
    ['store', status.store],
    ['disk', `${megabytes(disk.free_mb)} of ${megabytes(disk.total_mb)} free`],
    ['HEIC', status.heif_decoder],
    [
      'contents',
      [
        counted(counts.platforms, 'platform'),
        counted(counts.users, 'user'),
        counted(counts.images, 'image'),
        megabytes(counts.stored_mb),
      ].join(', '),
    ],
    ['reclaim', reclaimText(reclaim)],
    ...holdLines(status.holds),
    ['webhooks', webhooksText(webhooks)],
    ...(status.feed_held_by
      ? [['feeds', heldText(status.feed_held_by)] satisfies [string, string]]
      : []),
    ['verified', verifiedText(status.verification)],
    ...(status.unread_images > 0
      ? [['metadata', unreadText(status.unread_images)] satisfies [string, string]]
      : []),
    ['backup', backupText(status.backups)],
    ...(status.wal ? [['WAL', walText(status.wal)] satisfies [string, string]] : []),
    ...jobs.map(
      (job, index) => [index === 0 ? 'jobs' : '', jobText(job)] satisfies [string, string],
    ),
  ];
  return lines.map(([title, text]) => `${title.padEnd(9)} ${text}`).join('\n');
}

const maintenanceText = (since: string): string =>
  `in maintenance since ${agoText(since)}; to end it: ${commandLine('maintenance', 'off')}`;

const databaseText = ({ database, postgresql, database_host: host }: ServiceStatus): string =>
  `${database}, PostgreSQL ${postgresql}${host === null ? '' : ` at ${host}`}`;

function reclaimText({ pending, due, failing, oldest, ...kept }: ServiceStatus['reclaim']) {
  const since = oldest ? `; the oldest since ${agoText(oldest)}` : '';
  const failed = `; ${failing} cannot be deleted: ${commandLine('doctor', '--only', 'reclaim')} names them`;
  const waiting = `${kept.waiting} (${megabytes(kept.waiting_mb)}) kept for backups`;
  return `${counted(pending, 'object')} queued, ${waiting}, ${due} due${since}${failing > 0 ? failed : ''}`;
}

/** The first few; the rest is in the lists of their platforms. */
const shownHolds = 5;

const holdLines = ({ lasting, oldest }: ServiceStatus['holds']): [string, string][] => [
  ...oldest
    .slice(0, shownHolds)
    .map((hold, n): [string, string] => [n === 0 ? 'holds' : '', holdText(hold)]),
  ...(lasting > shownHolds
    ? [
        [
          '',
          `and ${lasting - shownHolds} more: ${commandLine('hold', 'list', '--platform', 'ID')}`,
        ] satisfies [string, string],
      ]
    : []),
];

const heldText = ({ database, holder, seconds }: FeedHolder): string =>
  `held up for ${spanText(seconds ?? 0)} by a ${holder} in the database ${database}: ${commandLine('doctor', '--only', 'feed')}`;

const webhooksText = ({ active, paused }: ServiceStatus['webhooks']): string =>
  paused === 0
    ? `${active} active`
    : `${active} active, ${paused} paused: ${commandLine('webhook', 'list')} says why`;

function verifiedText(status: VerificationStatus): string {
  const { differences, objects_verified_at: at, round_ended_at: ended, round } = status;
  const wrong =
    differences === 0
      ? 'nothing known to be wrong'
      : `${counted(differences, 'object')} wrong: ${commandLine('verify')} says which`;
  const presence = at === null ? 'presence never checked' : `presence checked ${agoText(at)}`;
  const contents = ended === null ? 'contents never read' : `contents read ${agoText(ended)}`;
  const under = round.began_at === null ? '' : `, ${sizeText(round.bytes)} since then`;
  return `${wrong}; ${presence}, ${contents}${under}`;
}

const unreadText = (images: number): string =>
  `${counted(images, 'image')} left to read for what ${images === 1 ? 'its camera' : 'their cameras'} knew (verify.bytes_per_night)`;

function backupText({ backup, drill }: BackupRecords): string {
  if (!backup) return `none made from this home: ${commandLine('backup', 'DIR')}`;
  const made = `${agoText(backup.at)} to ${backup.repository}`;
  if (!drill) return `${made}, never proved: ${commandLine('backup', 'drill', 'DIR')}`;
  const proved = `${drill.ok ? 'proved' : `found to have ${counted(drill.faults, 'fault')}`} ${agoText(drill.at)}`;
  return `${made}; ${proved}`;
}

const walText = ({ archive, from, until }: WalRecord): string =>
  `archived in ${archive}; any instant can be restored from ${agoText(from)} until ${agoText(until)}`;

const jobText = ({ job, ended_at, error }: LastRun): string =>
  `${job}: ${error === null ? 'done' : 'failed'} ${agoText(ended_at)}${error === null ? '' : ` (${error})`}`;

async function showStatus(context: Context): Promise<void> {
  const { readiness, partsDown } = await import('../../http/health.js');
  const { values: config } = await context.settings();
  const { home, ui } = context;
  const { pid, url, version, startedAt } = await requireService(home);
  const parts = await readiness(url);
  const down = partsDown(parts);
  if (down.length > 0) {
    throw dependencyDown(
      `imgstore is running at ${url} but is not ready: ${down.join(', ')} is down.`,
      { remedy: 'Check its log for the reason.' },
    );
  }
  const document: ServiceStatus = {
    pid,
    address: url,
    version,
    uptime_seconds: Math.max(0, Math.round((Date.now() - startedAt.getTime()) / secondMs)),
    public_url: config.public_url ?? null,
    home: home.dir,
    ready: true,
    parts,
    database: config['database.url'] ? 'external' : 'private',
    disk: await diskSpace(home.dir),
    heif_decoder: await heifDecoder(config),
    ...(await contents(context, config)),
    backups: await readBackupRecords(home),
    wal: await readWalRecord(home),
  };
  ui.result({ document, text: describeStatus(document) });
}

function storeText({ store, second, moving }: StoreLocation, { home }: Context, config: Config) {
  const name = { local: `local:${home.store}`, s3: `s3:${config['s3.bucket']}` };
  if (!second) return name[store];
  return moving
    ? `${name[store]}, moving to ${name[second]}`
    : `${name[store]}, moved from ${name[second]}`;
}

/** The decoder that imaging processes of this installation use. */
async function heifDecoder(config: Config): Promise<string> {
  const native = config['imaging.heif_decoder'] === 'auto' ? await loadFfmpeg() : undefined;
  return native ? `FFmpeg (libavcodec ${native.version}) of this machine` : 'bundled';
}

async function contents(
  context: Context,
  config: Config,
): Promise<
  Pick<
    ServiceStatus,
    | 'database_host'
    | 'store'
    | 'counts'
    | 'reclaim'
    | 'holds'
    | 'postgresql'
    | 'webhooks'
    | 'feed_held_by'
    | 'verification'
    | 'unread_images'
    | 'read_only_since'
    | 'jobs'
  >
> {
  const { readInstallationTotals, readServerVersion } = await import('../../ops/totals.js');
  const { reclaimBacklog } = await import('../../library/reclaim/reclaim.js');
  const { lastingHolds } = await import('../../library/holds/holds.js');
  const { readInstance, readOnlySince } = await import('../../database/instance.js');
  const { lastJobRuns } = await import('../../ops/job-runs.js');
  const { webhookCounts } = await import('../../feed/webhooks/upkeep.js');
  const { heldSeconds, selectFeedHolders } = await import('../../feed/changes/upkeep.js');
  const { hostInUse } = await import('../../database/data-source.js');
  const { verificationStatus } = await import('../../ops/verify/status.js');
  const { countUnread } = await import('../../library/images/unread.js');
  const { db, close } = await connectDatabase(context, config);
  try {
    const { storedBytes, ...counts } = await readInstallationTotals(db);
    const { oldest, waiting, waitingBytes, ...backlog } = await reclaimBacklog(
      db,
      config['store.deletion_delay_hours'],
    );
    const [holder] = await selectFeedHolders(db);
    return {
      postgresql: await readServerVersion(db),
      database_host: hostInUse(db) ?? null,
      store: storeText(await readInstance(db), context, config),
      counts: { ...counts, stored_mb: toMegabytes(storedBytes) },
      reclaim: {
        ...backlog,
        waiting,
        waiting_mb: toMegabytes(waitingBytes),
        oldest: oldest?.toISOString() ?? null,
      },
      holds: await lastingHolds(db, new WallClock(config.timezone)),
      webhooks: await webhookCounts(db),
      feed_held_by: holder && (holder.seconds ?? 0) >= heldSeconds ? holder : null,
      verification: await verificationStatus(db),
      unread_images: await countUnread(db),
      read_only_since: (await readOnlySince(db))?.toISOString() ?? null,
      jobs: (await lastJobRuns(db)).map(({ job, beganAt, endedAt, error }) => ({
        job,
        ended_at: endedAt.toISOString(),
        ms: endedAt.getTime() - beganAt.getTime(),
        error,
      })),
    };
  } finally {
    await close();
  }
}
