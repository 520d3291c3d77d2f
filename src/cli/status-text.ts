import { commandLine } from '../base/os/command-line.js';
import type { VerificationStatus } from '../ops/verify/status.js';
import type { BackupRecords, WalRecord } from '../ops/backup/records.js';
import type { JobRecord } from '../ops/jobs/records.js';
import { bytesPerMegabyte, secondMs, counted, sizeText, spanText } from '../base/units.js';

/** What `imgstore status --json` prints. */
export interface ServiceStatus {
  readonly address: string;
  readonly pid: number;
  readonly version: string;
  readonly uptime_seconds: number;
  readonly public_url: string | null;
  readonly home: string;
  readonly ready: true;
  readonly parts: Readonly<Record<string, string>>;
  readonly database: 'external' | 'private';
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
    readonly oldest: string | null;
  };
  readonly webhooks: { readonly active: number; readonly paused: number };
  readonly verification: VerificationStatus;
  readonly jobs: readonly JobRecord[];
  readonly backups: BackupRecords;
  /** Null for a home whose WAL was never archived. */
  readonly wal: WalRecord | null;
}

const megabytes = (n: number): string => sizeText(n * bytesPerMegabyte);

/** A status for people. @param now milliseconds since 1970. */
export function describeStatus(status: ServiceStatus, now: number): string {
  const { counts, disk, reclaim, webhooks, jobs } = status;
  const lines: [title: string, text: string][] = [
    ['running', `${status.address} (process ${status.pid})`],
    ...(status.public_url === null
      ? []
      : [['public', status.public_url] satisfies [string, string]]),
    ['docs', `${status.public_url ?? status.address}/docs`],
    ['version', `imgstore ${status.version}, up ${spanText(status.uptime_seconds)}`],
    ['home', status.home],
    ['database', `${status.database}, PostgreSQL ${status.postgresql}`],
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
    ['reclaim', reclaimText(reclaim, now)],
    ['webhooks', webhooksText(webhooks)],
    ['verified', verifiedText(status.verification, now)],
    ['backup', backupText(status.backups, now)],
    ...(status.wal ? [['WAL', walText(status.wal, now)] satisfies [string, string]] : []),
    ...jobs.map(
      (job, index) => [index === 0 ? 'jobs' : '', jobText(job, now)] satisfies [string, string],
    ),
  ];
  return lines.map(([title, text]) => `${title.padEnd(9)} ${text}`).join('\n');
}

const ago = (time: string, now: number): string =>
  `${spanText((now - Date.parse(time)) / secondMs)} ago`;

function reclaimText({ pending, due, failing, oldest }: ServiceStatus['reclaim'], now: number) {
  const since = oldest ? `; the oldest since ${ago(oldest, now)}` : '';
  const failed = `; ${failing} cannot be deleted: ${commandLine('doctor', '--only', 'reclaim')} names them`;
  return `${counted(pending, 'object')} queued, ${due} due${since}${failing > 0 ? failed : ''}`;
}

const webhooksText = ({ active, paused }: ServiceStatus['webhooks']): string =>
  paused === 0
    ? `${active} active`
    : `${active} active, ${paused} paused: ${commandLine('webhook', 'list')} says why`;

function verifiedText(status: VerificationStatus, now: number): string {
  const { differences, objects_verified_at: at, round_ended_at: ended, round } = status;
  const wrong =
    differences === 0
      ? 'nothing known to be wrong'
      : `${counted(differences, 'object')} wrong: ${commandLine('verify')} says which`;
  const presence = at === null ? 'presence never checked' : `presence checked ${ago(at, now)}`;
  const contents = ended === null ? 'contents never read' : `contents read ${ago(ended, now)}`;
  const under = round.began_at === null ? '' : `, ${sizeText(round.bytes)} since then`;
  return `${wrong}; ${presence}, ${contents}${under}`;
}

function backupText({ backup, drill }: BackupRecords, now: number): string {
  if (!backup) return `none made from this home: ${commandLine('backup', 'DIR')}`;
  const made = `${ago(backup.at, now)} to ${backup.repository}`;
  if (!drill) return `${made}, never proved: ${commandLine('backup', 'drill', 'DIR')}`;
  const proved = `${drill.ok ? 'proved' : `found to have ${counted(drill.faults, 'fault')}`} ${ago(drill.at, now)}`;
  return `${made}; ${proved}`;
}

const walText = ({ archive, until }: WalRecord, now: number): string =>
  `archived in ${archive}, until ${ago(until, now)}`;

const jobText = ({ job, ended_at, error }: JobRecord, now: number): string =>
  `${job}: ${error === null ? 'done' : 'failed'} ${ago(ended_at, now)}${error === null ? '' : ` (${error})`}`;
