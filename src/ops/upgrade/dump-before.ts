import { sizeText } from '../../base/units.js';
import { commandLine } from '../../base/os/command-line.js';
import { dumpFirst, type DumpParts, type MadeDump } from './dump.js';

/** Dumps the database before migrations change it, and reports how to roll back. */
export async function dumpBeforeMigrating(parts: Omit<DumpParts, 'without'>): Promise<MadeDump> {
  const { home, report } = parts;
  const without = commandLine('migrate', '--no-dump', '--home', home.dir);
  const dump = await dumpFirst({ ...parts, without });
  report(`Dumped ${sizeText(dump.bytes)}. ${rollbackHint(home.dir, dump.file)}`);
  return dump;
}

/** How to undo an upgrade. */
export const rollbackHint = (home: string, file: string): string =>
  `To go back: ${commandLine('database', 'restore', file, '--home', home)}, then install the former imgstore`;
