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
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { connectDatabase } from '../open.js';
import { holdText } from './hold.js';
import { requireService } from '../running-service.js';

export const command: CommandDetails = {
  examples: ['status', 'status --json'],
  run: showStatus,
};

/** What `imgstore status --json` prints. */
type ServiceStatus = Awaited<ReturnType<typeof readStatus>>;

const megabytes = (n: number): string => sizeText(n * bytesPerMegabyte);

/** A status for people. */
function describeStatus(status: ServiceStatus): string {
  const { counts, disk, reclaim, webhooks, jobs } = status;
  const lines: Line[] = [
    ['running', `${status.address} (process ${status.pid})`],
    ...lineIf('public', status.public_url),
    ...lineIf('read-only', status.read_only_since && maintenanceText(status.read_only_since)),
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
    ...lineIf('feeds', status.feed_held_by && heldText(status.feed_held_by)),
    ['verified', verifiedText(status.verification)],
    ...lineIf('metadata', status.unread_images > 0 && unreadText(status.unread_images)),
    ['backup', backupText(status.backups)],
    ...lineIf('WAL', status.wal && walText(status.wal)),
    ...jobs.map((job, index): Line => [index === 0 ? 'jobs' : '', jobText(job)]),
  ];
  return lines.map(([title, text]) => `${title.padEnd(9)} ${text}`).join('\n');
}

type Line = [title: string, text: string];

const lineIf = (title: string, text: string | null | false): Line[] =>
  text === null || text === false ? [] : [[title, text]];

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

const holdLines = ({ lasting, oldest }: ServiceStatus['holds']): Line[] => [
  ...oldest.slice(0, shownHolds).map((hold, n): Line => [n === 0 ? 'holds' : '', holdText(hold)]),
  ...lineIf(
    '',
    lasting > shownHolds &&
      `and ${lasting - shownHolds} more: ${commandLine('hold', 'list', '--platform', 'ID')}`,
  ),
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

const jobText = ({ job, ended_at, error }: ServiceStatus['jobs'][number]): string =>
  `${job}: ${error === null ? 'done' : 'failed'} ${agoText(ended_at)}${error === null ? '' : ` (${error})`}`;

async function showStatus(context: Context): Promise<void> {
  const document = await readStatus(context);
  context.ui.result({ document, text: describeStatus(document) });
}

async function readStatus(context: Context) {
  const { readiness, partsDown } = await import('../../http/health.js');
  const { values: config } = await context.settings();
  const { home } = context;
  const { pid, url, version, startedAt } = await requireService(home);
  const parts = await readiness(url);
  const down = partsDown(parts);
  if (down.length > 0) {
    throw dependencyDown(
      `imgstore is running at ${url} but is not ready: ${down.join(', ')} is down.`,
      { remedy: 'Check its log for the reason.' },
    );
  }
  return {
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
    /** Null for a home whose WAL was never archived. */
    wal: await readWalRecord(home),
  };
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

async function contents(context: Context, config: Config) {
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
      /** The host of the database that takes writes; null if it has only one. */
      database_host: hostInUse(db) ?? null,
      store: storeText(await readInstance(db), context, config),
      counts: { ...counts, stored_mb: toMegabytes(storedBytes) },
      reclaim: {
        ...backlog,
        /** Those of deleted images, kept for store.deletion_delay_hours. */
        waiting,
        waiting_mb: toMegabytes(waitingBytes),
        oldest: oldest?.toISOString() ?? null,
      },
      holds: await lastingHolds(db, new WallClock(config.timezone)),
      webhooks: await webhookCounts(db),
      /** What has held up change feeds and webhooks for more than a minute. */
      feed_held_by: holder && (holder.seconds ?? 0) >= heldSeconds ? holder : null,
      verification: await verificationStatus(db),
      /** Whose files the job "read metadata" has yet to read, since they are from before an upgrade. */
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
