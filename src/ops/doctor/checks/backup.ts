import { counted, spanText, dayMs, secondMs } from '../../../base/units.js';
import { readBackupRecords } from '../../backup/records.js';
import { ok, warning, type Check } from '../check.js';
import type { DoctorContext } from '../context.js';
import { selectCreation } from '../server.sql.js';

const maxAgeMs = 7 * dayMs;

export const backup: Check = {
  name: 'backup',
  title: 'There is a backup, not older than a week',
  category: 'upkeep',
  run: async (context) => {
    await context.initialized.get();
    const { backup: last, drill } = await readBackupRecords(context.home);
    const again = context.command('backup', last?.repository ?? '/srv/backup');
    if (drill?.ok === false) {
      const what = `The last drill found ${counted(drill.faults, 'fault')} in a backup.`;
      return warning(what, context.command('backup', 'drill', drill.repository));
    }
    if (!last) {
      if (await isNew(context)) return ok('None yet; the installation is less than a week old.');
      return warning('There is no backup.', again);
    }
    const age = Date.now() - Date.parse(last.at);
    const ago = `${spanText(age / secondMs)} ago`;
    if (age < maxAgeMs) return ok(`The last one was made ${ago}.`);
    return warning(`The last backup was made ${ago}.`, again);
  },
};

/** Whether the installation is younger than its backup should be. */
async function isNew(context: DoctorContext): Promise<boolean> {
  await context.instance.get();
  const created = await selectCreation(await context.db());
  return created !== undefined && Date.now() - created.getTime() < maxAgeMs;
}
