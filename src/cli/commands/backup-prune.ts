import { ExitCode, wrongUsage } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { lowerPriority } from '../../base/os/run.js';
import { counted, sizeText } from '../../base/units.js';
import { findMasterKey, readMasterKey } from '../../http/auth/secrets.js';
import { openRepository, readMark } from '../../ops/backup/open-repository.js';
import { doubtsOf, prune, survey, type Doubt, type Pruned } from '../../ops/backup/prune.js';
import { assertInitialised } from '../../ops/home.js';
import type { Context } from '../context.js';
import { openMigratedDatabase } from '../open.js';
import { SilentExit } from '../ui.js';

/** How many backups to keep; undefined if omitted. @throws OperatorError 2. */
export function parseKeep(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw wrongUsage(`--keep must be a whole number from 1 to 99999, not ${text}.`, {
    setting: '--keep',
  });
}

/** What cannot be read or understood, for people. */
export const doubtsText = (doubtful: readonly Doubt[]): string[] =>
  doubtful.map(({ generation, reason }) => `kept, but not understood: ${generation}: ${reason}`);

/** Lists the backups of a repository; needs no home. */
export async function listBackups(context: Context, { dir }: { dir: string }): Promise<void> {
  const { home, ui } = context;
  const { values: config } = await context.settings('nothing');
  const repository = await openRepository(dir, { home, config });
  await readMark(repository);
  const { entries } = await survey(repository, await findMasterKey(home));
  const backups = entries.map(({ id, generation, doubt }) => ({
    generation: id,
    sequence: generation?.sequence ?? null,
    taken_at: generation?.taken_at ?? null,
    imgstore: generation?.imgstore ?? null,
    platform_id: generation?.platform_id ?? null,
    objects: generation?.objects ?? null,
    object_bytes: generation?.object_bytes ?? null,
    faults: generation?.faults ?? null,
    secrets: generation ? generation.secrets !== null : null,
    doubt: doubt ?? null,
  }));
  ui.list({
    document: { repository: repository.name, backups },
    headers: ['BACKUP', 'AS OF', 'OBJECTS', 'SIZE', 'FAULTS', 'SECRETS'],
    rows: backups.map(({ generation, taken_at, objects, object_bytes, faults, secrets }) => [
      generation,
      taken_at ?? '?',
      objects?.toLocaleString('en') ?? '?',
      object_bytes === null ? '?' : sizeText(object_bytes),
      faults?.toLocaleString('en') ?? '?',
      secrets === null ? '?' : secrets ? 'yes' : 'no',
    ]),
    none: `There is no backup in ${repository.name} yet.`,
    note: doubtsText(doubtsOf(entries)).join('\n') || undefined,
  });
  if (entries.some(({ doubt }) => doubt !== undefined)) throw new SilentExit(ExitCode.different);
}

interface PruneOptions {
  readonly dir: string;
  readonly keep?: string;
  readonly dryRun?: boolean;
}

export async function pruneBackups(context: Context, options: PruneOptions): Promise<void> {
  const { home, ui } = context;
  const { dir, dryRun = false } = options;
  const keep = parseKeep(options.keep);
  if (keep === undefined) {
    throw wrongUsage('How many backups stay is not given.', {
      setting: '--keep',
      remedy: commandLine('backup', 'prune', dir, '--keep', '14'),
    });
  }
  const { values: config } = await context.settings();
  await assertInitialised(home);
  const masterKey = await readMasterKey(home);
  const { db, close } = await openMigratedDatabase(context, config);
  try {
    lowerPriority();
    const repository = await openRepository(dir, { home, config });
    const parts = { db, home, repository, masterKey, keep, dryRun, report: ui.progress };
    const pruned = await prune(parts);
    const document = { repository: repository.name, dry_run: dryRun, ...pruned };
    ui.result({ document, text: prunedText(pruned, dryRun).join('\n') });
    if (pruned.doubtful.length > 0) throw new SilentExit(ExitCode.different);
  } finally {
    await close();
  }
}

/** What was removed and what stays, for people. */
export function prunedText(pruned: Pruned, dryRun: boolean): string[] {
  const { removed, kept, objects, bytes, last_good: lastGood, blocked } = pruned;
  return [
    ...doubtsText(pruned.doubtful),
    ...(blocked
      ? ['Nothing is removed: which objects these need is unknown. Repair them, or move them away.']
      : []),
    ...(lastGood === null ? [] : [`kept, since no later one is good: ${lastGood}`]),
    ...removed.map((id) => `${dryRun ? 'would be removed' : 'removed'}: ${id}`),
    `${counted(removed.length, 'backup')} and ${counted(objects, 'object')} (${sizeText(bytes)}) ${dryRun ? 'would be ' : ''}removed, ${counted(kept.length, 'backup')} kept.`,
  ];
}
