import { statfs } from 'node:fs/promises';
import type { Config } from '../../base/config/options.js';
import { readInstance, type StoreLocation } from '../../database/instance.js';
import { dependencyDown } from '../../base/errors/operator.js';
import { loadFfmpeg } from '../../imaging/ffmpeg.js';
import { readJobRecords } from '../../ops/jobs/records.js';
import { verificationStatus } from '../../ops/verify/status.js';
import { readBackupRecords, readWalRecord } from '../../ops/backup/records.js';
import { readInstallationTotals, readServerVersion } from '../../ops/totals.js';
import { notRunning, runningService } from '../running-service.js';
import { reclaimBacklog } from '../../library/reclaim/reclaim.js';
import { connectDatabase } from '../database.js';
import type { Context } from '../context.js';
import { partsDown, readiness } from '../../http/health.js';
import { describeStatus, type ServiceStatus } from '../status-text.js';
import { bytesPerMegabyte, toMegabytes } from '../../base/units.js';
import { webhookCounts } from '../../feed/webhooks/upkeep.js';

export async function showStatus(context: Context): Promise<void> {
  const { values: config } = await context.settings();
  const { home, ui } = context;
  const running = await runningService(home);
  if (!running) throw await notRunning(home);
  const { pid, url, version, uptime_seconds } = running;
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
    uptime_seconds,
    public_url: config.public_url ?? null,
    home: home.dir,
    ready: true,
    parts,
    database: config['database.url'] ? 'external' : 'private',
    disk: await diskSpace(home.dir),
    heif_decoder: await heifDecoder(config),
    ...(await contents(context, config)),
    jobs: await readJobRecords(home.jobRecords),
    backups: await readBackupRecords(home),
    wal: await readWalRecord(home),
  };
  ui.result({ document, text: describeStatus(document, Date.now()) });
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

async function diskSpace(folder: string) {
  const { bavail, blocks, bsize } = await statfs(folder);
  const megabytes = (n: number): number => Math.round((n * bsize) / bytesPerMegabyte);
  return { free_mb: megabytes(bavail), total_mb: megabytes(blocks) };
}

async function contents(
  context: Context,
  config: Config,
): Promise<
  Pick<ServiceStatus, 'store' | 'counts' | 'reclaim' | 'postgresql' | 'webhooks' | 'verification'>
> {
  const { db, close } = await connectDatabase(context, config);
  try {
    const { storedBytes, ...counts } = await readInstallationTotals(db);
    const { oldest, ...backlog } = await reclaimBacklog(db);
    return {
      postgresql: await readServerVersion(db),
      store: storeText(await readInstance(db), context, config),
      counts: { ...counts, stored_mb: toMegabytes(storedBytes) },
      reclaim: { ...backlog, oldest: oldest?.toISOString() ?? null },
      webhooks: await webhookCounts(db),
      verification: await verificationStatus(db),
    };
  } finally {
    await close();
  }
}
