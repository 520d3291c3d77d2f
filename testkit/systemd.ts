import { ensureInstalled, installed } from './installed.js';

const programs = ['systemd-notify', 'systemd-analyze'];

/** As root, installs systemd's programs with apt; otherwise their tests are skipped. */
export async function ensureSystemd(report: (message: string) => void): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const packages = ['systemd'];
  await ensureInstalled({ purpose: 'The tests of the units', programs, packages }, report);
}

/** Options for tests that need systemd's programs. */
export const needsSystemd: { skip?: string } =
  process.getuid?.() === 0 || (await installed(programs))
    ? {}
    : { skip: 'needs the package systemd, and root to install it' };
