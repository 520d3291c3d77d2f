import { ExitCode, wrongUsage } from '../../base/errors/operator.js';
import { lowerPriority } from '../../base/os/run.js';
import { counted, sizeText } from '../../base/units.js';
import { openRepository } from '../../ops/backup/open-repository.js';
import { recordBackup } from '../../ops/backup/records.js';
import { faultKinds, type Fault } from '../../ops/backup/verify-contents.js';
import { verifyBackup, type VerifiedBackup } from '../../ops/backup/verify.js';
import type { Context } from '../context.js';
import { progressMeter } from '../progress.js';
import { SilentExit } from '../ui.js';
import { documentOf, madeBackupText, runBackup, type BackupOptions } from './make-backup.js';

interface VerifyOptions {
  readonly dir: string;
  readonly generation?: string;
  readonly sample?: string;
  readonly scratch?: string;
}

export async function verifyOneBackup(context: Context, options: VerifyOptions): Promise<void> {
  const document = await runVerify(context, options);
  context.ui.result({ document, text: provedText(document) });
  if (!document.ok) throw new SilentExit(ExitCode.different);
}

/** Makes a backup and proves it. */
export async function drillBackup(
  context: Context,
  options: BackupOptions & VerifyOptions,
): Promise<void> {
  const { dir: place } = options;
  const made = await runBackup(context, options);
  const { id: generation } = made.generation;
  const proved = await runVerify(context, { ...options, generation });
  const { ok, faults_total: faults } = proved;
  const at = new Date().toISOString();
  await recordBackup(context.home, { drill: { at, repository: place, generation, ok, faults } });
  context.ui.result({
    document: { ok, at, backup: documentOf(made, place), verified: proved },
    text: `${madeBackupText(made, place)}\n${provedText(proved)}`,
  });
  if (!ok) throw new SilentExit(ExitCode.different);
}

/** Proves a backup; needs no home. */
async function runVerify(context: Context, options: VerifyOptions): Promise<VerifiedBackup> {
  const { home, ui, interrupted: signal } = context;
  const sample = parseSample(options.sample);
  const { values: config } = await context.settings('nothing');
  const repository = await openRepository(options.dir, { home, config });
  lowerPriority();
  return verifyBackup({
    repository,
    generation: options.generation,
    home,
    sample,
    signal,
    scratch: options.scratch,
    config,
    report: ui.progress,
    checked: progressMeter(ui),
  });
}

function parseSample(text: string | undefined): number {
  if (text === undefined) return 1;
  const percent = Number(/^(\d{1,3}(?:\.\d+)?)%?$/.exec(text)?.[1]);
  if (percent > 0 && percent <= 100) return percent / 100;
  throw wrongUsage(`--sample must be a percentage up to 100%, not ${text}.`, {
    setting: '--sample',
  });
}

/** What verifying found, for people. */
function provedText(verified: VerifiedBackup): string {
  const { generation, taken_at, versions, objects, objects_read, bytes_read } = verified;
  const { faults, faults_total: total } = verified;
  const checked = `${counted(versions, 'stored version')}, ${counted(objects, 'object')} (${objects_read.toLocaleString('en')} read, ${sizeText(bytes_read)})`;
  if (verified.ok) {
    const unknown =
      'It is not authenticated: it has no code made with the master key, or this home has no key.';
    const intact = `${generation} is intact, as of ${taken_at}: ${checked}.`;
    return verified.authenticated ? intact : `${intact}\n${unknown}`;
  }
  const more = total - faults.length;
  return [
    ...faults.map(line),
    ...(more > 0 ? [`… and ${more.toLocaleString('en')} more`] : []),
    `${generation} has ${counted(total, 'fault')}: ${checked}.`,
  ].join('\n');
}

function line({ kind, subject, expected, found }: Fault): string {
  const values =
    expected === null && found === null ? '' : ` (expected ${expected}, found ${found})`;
  return `${kind}: ${subject}: ${faultKinds[kind]}${values}`;
}
