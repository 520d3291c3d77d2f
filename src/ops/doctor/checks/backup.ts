import { agoText, counted, dayMs, sizeText } from '../../../base/units.js';
import { readBackupRecords, readWalRecord, type WalRecord } from '../../backup/records.js';
import { selectSlots } from '../../wal/server.js';
import { ok, warning, type Check } from '../check.js';
import { type DoctorContext, Skip } from '../context.js';
import { droppingSlot, selectCreation } from '../doctor.sql.js';

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
    const ago = agoText(last.at);
    if (Date.now() - Date.parse(last.at) < maxAgeMs) return ok(`The last one was made ${ago}.`);
    return warning(`The last backup was made ${ago}.`, again);
  },
};

/** Whether the installation is younger than its backup should be. */
async function isNew(context: DoctorContext): Promise<boolean> {
  await context.instance.get();
  const created = await selectCreation(await context.db());
  return created !== undefined && Date.now() - created.getTime() < maxAgeMs;
}

export const wal: Check = {
  name: 'wal',
  title: 'WAL for the archive is being received',
  category: 'upkeep',
  run: async (context) => {
    await context.instance.get();
    const { server } = await context.database.get();
    if (server.kind === 'external') throw new Skip('the database is not private');
    const slots = await selectSlots(await context.db());
    const record = await readWalRecord(context.home);
    const lost = slots.find(({ state }) => state === 'lost');
    const idle = slots.find(({ active }) => !active);
    const again = context.command('backup', record?.archive ?? 'DIR', '--wal');
    if (lost) {
      return warning(
        'The WAL archive has a gap: the server had to remove WAL that was not received.',
        `Start a new one: ${again}`,
      );
    }
    if (!idle)
      return ok(
        slots.length === 0
          ? 'No WAL is archived: what can be restored are the backups, as of when they were made.'
          : reachOf(record),
      );
    const given = await context.psql([droppingSlot(idle.name)]);
    return warning(
      `WAL is not being received for the archive; the server retains ${sizeText(idle.held)} of it.`,
      `Resume it: ${again}; or give up the archive: ${given}`,
    );
  },
};

/** How far restoring to an instant reaches. */
const reachOf = (record: WalRecord | null): string =>
  record === null
    ? 'WAL is being received.'
    : `WAL is being received; any instant from ${record.from} to ${record.until} (${agoText(record.until)}) can be restored.`;
