import { statfs } from 'node:fs/promises';
import type { Config } from '../../config/options.js';
import { readInstance, type StoreLocation } from '../../database/instance.js';
import { dependencyDown, failure } from '../../errors/operator.js';
import { loadFfmpeg } from '../../imaging/ffmpeg.js';
import { readInstallationTotals } from '../../operations/totals.js';
import { readLock } from '../../os/process-lock.js';
import { reclaimBacklog } from '../../reclaim/reclaim.js';
import { connectDatabase } from '../database.js';
import type { Context } from '../context.js';
import { partsDown, readiness } from '../readiness.js';
import { bytesPerMegabyte, toMegabytes } from '../../units.js';
import { commandLine } from '../../os/command-line.js';

interface ReclaimBacklogReport {
  /** Objects waiting to be deleted, or for their upload to finish. */
  readonly pending: number;
  readonly due: number;
  readonly oldest: string | null;
}

interface InstallationTotals {
  readonly platforms: number;
  readonly users: number;
  readonly images: number;
  readonly stored_mb: number;
}

export async function showStatus(context: Context): Promise<void> {
  const { values: config } = await context.settings();
  const { home, ui } = context;
  const holder = await runningService(context);
  if (!holder) {
    throw failure(`imgstore is not running for ${home.dir}.`, {
      remedy: commandLine('serve', '--home', home.dir),
    });
  }
  const parts = await readiness(holder.address);
  const down = partsDown(parts);
  if (down.length > 0) {
    throw dependencyDown(
      `imgstore is running at ${holder.address} but is not ready: ${down.join(', ')} is down.`,
      { remedy: 'Check its log for the reason.' },
    );
  }
  const document = {
    ...holder,
    home: home.dir,
    ready: true,
    parts,
    database: config['database.url'] ? 'external' : 'private',
    disk: await diskSpace(home.dir),
    heif_decoder: await heifDecoder(config),
    ...(await contents(context, config)),
  };
  ui.result({ document, text: describe(document) });
}

function describe(status: {
  address: string;
  pid: number;
  database: string;
  store: string;
  disk: { free_mb: number; total_mb: number };
  heif_decoder: string;
  counts: InstallationTotals;
  reclaim: ReclaimBacklogReport;
}): string {
  const { counts, disk, reclaim } = status;
  return [
    `running   ${status.address} (process ${status.pid})`,
    `database  ${status.database}`,
    `store     ${status.store}`,
    `disk      ${disk.free_mb} MB of ${disk.total_mb} MB free`,
    `HEIC      ${status.heif_decoder}`,
    `contents  ${counts.platforms} platforms, ${counts.users} users, ${counts.images} images, ${counts.stored_mb} MB`,
    `reclaim   ${reclaimText(reclaim)}`,
  ].join('\n');
}

const reclaimText = ({ pending, due, oldest }: ReclaimBacklogReport): string =>
  `${pending} objects queued, ${due} due${oldest ? ` since ${oldest}` : ''}`;

function storeText({ store, second, moving }: StoreLocation, { home }: Context, config: Config) {
  const name = { local: `local:${home.store}`, s3: `s3:${config['s3.bucket']}` };
  if (!second) return name[store];
  return moving
    ? `${name[store]}, moving to ${name[second]}`
    : `${name[store]}, moved from ${name[second]}`;
}

async function runningService({ home }: Context) {
  const holder = await readLock(home.serveLock);
  const address = holder?.info.address;
  return holder && typeof address === 'string' ? { pid: holder.pid, address } : undefined;
}

/** As an imaging process of this installation finds it. */
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
): Promise<{ store: string; counts: InstallationTotals; reclaim: ReclaimBacklogReport }> {
  const { db, close } = await connectDatabase(context, config);
  try {
    const { storedBytes, ...counts } = await readInstallationTotals(db);
    const { oldest, ...backlog } = await reclaimBacklog(db);
    return {
      store: storeText(await readInstance(db), context, config),
      counts: { ...counts, stored_mb: toMegabytes(storedBytes) },
      reclaim: { ...backlog, oldest: oldest?.toISOString() ?? null },
    };
  } finally {
    await close();
  }
}
