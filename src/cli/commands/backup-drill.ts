import { ExitCode } from '../../base/errors/operator.js';
import { recordBackup } from '../../ops/backup/records.js';
import type { Context } from '../context.js';
import { SilentExit } from '../silent-exit.js';
import { documentOf, runBackup, madeBackupText } from './backup.js';
import type { BackupOptions } from './backup-options.js';
import { provedText, runVerify } from './backup-verify.js';
import type { VerifyOptions } from './backup-verify.js';

export async function drillBackup(
  context: Context,
  options: BackupOptions & VerifyOptions,
  [place = '']: string[],
): Promise<void> {
  const made = await runBackup(context, options, place);
  const { id: generation } = made.generation;
  const proved = await runVerify(context, { ...options, generation }, place);
  const { ok, faults_total: faults } = proved;
  const at = new Date().toISOString();
  await recordBackup(context.home, { drill: { at, repository: place, generation, ok, faults } });
  context.ui.result({
    document: { ok, at, backup: documentOf(made, place), verified: proved },
    text: `${madeBackupText(made, place)}\n${provedText(proved)}`,
  });
  if (!ok) throw new SilentExit(ExitCode.different);
}
