import { sizeText, spanText, secondMs } from '../../../base/units.js';
import { readWalRecord } from '../../wal/record.js';
import { walSlots } from '../../wal/slots.js';
import { ok, warning, type Check } from '../check.js';
import { Skip } from '../needed.js';
import { psql } from '../psql.js';
import { droppingSlot } from '../server.sql.js';

export const wal: Check = {
  name: 'wal',
  title: 'WAL for the archive is being received',
  category: 'upkeep',
  run: async (context) => {
    await context.instance.get();
    const { kind } = await context.database.get();
    if (kind === 'external') throw new Skip('the database is not private');
    const slots = await walSlots(await context.db());
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
    if (!idle) return ok(slots.length === 0 ? 'No WAL is archived.' : textOf(record?.until));
    const given = await psql(context, [droppingSlot(idle.name)]);
    return warning(
      `WAL is not being received for the archive; the server retains ${sizeText(idle.held)} of it.`,
      `Resume it: ${again}; or give up the archive: ${given}`,
    );
  },
};

const textOf = (until: string | undefined): string =>
  until === undefined
    ? 'WAL is being received.'
    : `WAL is being received; the last instant that can be restored was ${spanText((Date.now() - Date.parse(until)) / secondMs)} ago.`;
