import { ExitCode, wrongUsage } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { lowerPriority } from '../../base/os/run.js';
import { counted, sizeText } from '../../base/units.js';
import { readMasterKey } from '../../http/auth/secrets.js';
import { backUp, type BackedUp } from '../../ops/backup/backup.js';
import { openRepository } from '../../ops/backup/open-repository.js';
import { prune, type Pruned } from '../../ops/backup/prune.js';
import { recordBackup } from '../../ops/backup/records.js';
import type { Repository } from '../../ops/backup/repository.js';
import { withStream } from '../../ops/backup/tar-repository.js';
import { assertInitialised } from '../../ops/home.js';
import { requireConstraints } from '../../ops/schema.js';
import { openStores } from '../../ops/stores.js';
import { wireTenants } from '../../ops/tenants.js';
import { choosePassphrase } from '../ask.js';
import type { Context } from '../context.js';
import { advising } from '../interrupt.js';
import { openMigratedDatabase } from '../open.js';
import { progressMeter } from '../progress.js';
import { SilentExit } from '../ui.js';
import { doubtsText, parseKeep, prunedText } from './backup-prune.js';

export interface BackupOptions {
  /** Where backups are kept. */
  readonly dir: string;
  readonly keep?: string;
  readonly withSecrets?: boolean;
  readonly copy?: boolean;
  readonly platform?: string;
  readonly scratch?: string;
}

/** The destination that means stdout. */
const stream = '-';

export async function makeBackup(context: Context, options: BackupOptions): Promise<void> {
  const { ui } = context;
  const { dir: place } = options;
  const made = await (place === stream ? streamBackup : runBackup)(context, options);
  // The stream has stdout to itself.
  if (place === stream) ui.progress(madeBackupText(made, place));
  else ui.result({ document: documentOf(made, place), text: madeBackupText(made, place) });
  const { generation, doubtful } = made;
  if (generation.faults > 0 || doubtful.length > 0) throw new SilentExit(ExitCode.different);
}

/** What was made, and what the outdated --keep removed afterward. */
interface Made extends BackedUp {
  readonly pruned: Pruned | undefined;
}

/** Makes a backup and records it. */
export async function runBackup(context: Context, options: BackupOptions): Promise<Made> {
  const { home } = context;
  const { values: config } = await context.settings();
  return backUpTo(context, options, () =>
    openRepository(options.dir, { home, config, create: true }),
  );
}

/** Sends a backup to stdout. */
async function streamBackup(context: Context, options: BackupOptions): Promise<Made> {
  if (process.stdout.isTTY || context.ui.json) {
    throw wrongUsage('A backup to - is a tar archive on stdout.', {
      setting: 'DIR',
      remedy: `Redirect it, and omit --json: ${commandLine('backup', stream)} > backup.tar`,
    });
  }
  if (options.keep !== undefined) {
    throw wrongUsage('A stream contains a single backup, so --keep does not apply.', {
      setting: '--keep',
    });
  }
  return withStream(context.home, process.stdout, (repository) =>
    backUpTo(context, options, async () => repository),
  );
}

const again = 'Run the same command again: it continues with the objects that are not copied yet.';

const backUpTo = (...parts: Parameters<typeof backUpOnce>): Promise<Made> =>
  advising(again, () => backUpOnce(...parts));

async function backUpOnce(
  context: Context,
  options: BackupOptions,
  open: () => Promise<Repository>,
): Promise<Made> {
  const { home, ui, interrupted: signal } = context;
  const keep = parseKeep(options.keep);
  if (keep !== undefined) {
    const instead = commandLine('backup', 'prune', options.dir, '--keep', String(keep));
    ui.warn(`--keep will not be accepted from imgstore 0.5 on. Run instead: ${instead}`);
  }
  const { values: config } = await context.settings();
  await assertInitialised(home);
  const master = await readMasterKey(home);
  const passphrase = options.withSecrets
    ? await choosePassphrase(context, config, true)
    : undefined;
  const { db, url, close } = await openMigratedDatabase(context, config);
  try {
    lowerPriority();
    await requireConstraints(db, home);
    const platformId = options.platform
      ? (await wireTenants(db, config, master).platforms.get(options.platform)).id
      : null;
    const repository = await open();
    const { store } = await openStores(db, config, home, master);
    const made = await backUp({
      db,
      home,
      url,
      store,
      repository,
      passphrase,
      platformId,
      signal,
      scratch: options.scratch,
      masterKey: master,
      link: store.only !== 's3' && !options.copy,
      report: ui.progress,
      copied: progressMeter(ui),
    });
    const { id: generation, taken_at: at, objects, object_bytes: bytes } = made.generation;
    const backup = { at, repository: repository.name, generation, objects, bytes };
    if (platformId === null) await recordBackup(home, { backup });
    const pruning = { db, home, repository, masterKey: master, dryRun: false, report: ui.progress };
    const pruned = keep === undefined ? undefined : await prune({ ...pruning, keep });
    return { ...made, doubtful: pruned?.doubtful ?? made.doubtful, pruned };
  } finally {
    await close();
  }
}

const delay = 'store.deletion_delay_hours';

/** A backup as a document for programs. */
export const documentOf = (made: Made, place: string) => {
  const { generation, objects_reused, lost, deleted, doubtful, pruned } = made;
  const { id, taken_at, objects, object_bytes, faults, dump, secrets } = generation;
  return {
    repository: place,
    generation: id,
    taken_at,
    objects,
    object_bytes,
    objects_reused,
    dump_bytes: dump.bytes,
    secrets: secrets !== null,
    faults,
    lost,
    deleted,
    doubtful,
    removed: pruned?.removed ?? [],
  };
};

/** The same as text for people. */
export function madeBackupText(
  { generation, objects_reused, lost, deleted, doubtful, pruned }: Made,
  place: string,
): string {
  const { id, taken_at, objects, object_bytes, faults, dump, secrets } = generation;
  const fresh = objects - objects_reused;
  return [
    ...lost
      .filter((key) => !deleted.includes(key))
      .map((key) => `lost, damaged, or different from its copy: ${key}`),
    ...deleted.map((key) => `deleted before it could be copied: ${key}`),
    ...(deleted.length > 0
      ? [`The next backup is complete; raise ${delay} if it takes as long.`]
      : []),
    ...(pruned ? [] : doubtsText(doubtful)),
    `${id} in ${place} is complete, as of ${taken_at}:`,
    `  ${counted(objects, 'object')}, ${sizeText(object_bytes)} (${fresh.toLocaleString('en')} new), and a dump of ${sizeText(dump.bytes)}`,
    secrets
      ? '  with the secrets, encrypted with the passphrase'
      : '  without the secrets: keep secrets/master.key elsewhere, or add --with-secrets',
    ...(faults > 0 ? [`${counted(faults, 'object')} lost, damaged, or different.`] : []),
    ...(pruned ? prunedText(pruned, false) : []),
  ].join('\n');
}
