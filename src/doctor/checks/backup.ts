import { spanText } from '../../amounts.js';
import { dayMs, secondMs } from '../../units.js';
import { ok, warning, type Check } from '../check.js';
import type { DoctorContext } from '../context.js';
import { lastBackup } from '../last-backup.js';
import { selectCreation } from '../server-queries.js';

const maxAgeMs = 7 * dayMs;

export const backup: Check = {
  name: 'backup',
  title: 'There is a backup, not older than a week',
  category: 'upkeep',
  run: async (context) => {
    await context.initialized.get();
    const last = await lastBackup(context.home);
    const age = last && Date.now() - last.getTime();
    const ago = age === undefined ? '' : `${spanText(age / secondMs)} ago`;
    if (age !== undefined && age < maxAgeMs) return ok(`The last good one was made ${ago}.`);
    if (age === undefined && (await isNew(context)))
      return ok('None yet; the installation is less than a week old.');
    return warning(
      age === undefined ? 'There is no backup.' : `The last good backup was made ${ago}.`,
      context.command('backup', '/srv/backup'),
    );
  },
};

/** Whether the installation is younger than its backup should be. */
async function isNew(context: DoctorContext): Promise<boolean> {
  await context.instance.get();
  const created = await selectCreation(await context.db());
  return created !== undefined && Date.now() - created.getTime() < maxAgeMs;
}
