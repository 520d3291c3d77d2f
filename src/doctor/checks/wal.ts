import { sizeText, spanText } from '../../amounts.js';
import { readWalRecord } from '../../operations/wal/record.js';
import { walSlots } from '../../operations/wal/slots.js';
import { secondMs } from '../../units.js';
import { ok, warning, type Check } from '../check.js';
import { Skip } from '../needed.js';
import { psql } from '../psql.js';
import { droppingSlot } from '../server-queries.js';

export const wal: Check = {
  name: 'wal',
  title: 'WAL that is to be archived is being received',
  category: 'upkeep',
  run: async (context) => {
    await context.instance.get();
    const { kind } = await context.database.get();
    if (kind === 'external') throw new Skip('the database is not a private one');
    const slots = await walSlots(await context.db());
    const record = await readWalRecord(context.home);
    const lost = slots.find(({ state }) => state === 'lost');
    const idle = slots.find(({ active }) => !active);
    const again = context.command('backup', record?.archive ?? 'DIR', '--wal');
    if (lost) {
      return warning(
        'The archive of WAL has a gap: the server had to remove what nobody received.',
        `Have it begin again: ${again}`,
      );
    }
    if (!idle) return ok(slots.length === 0 ? 'No WAL is archived.' : textOf(record?.until));
    const given = await psql(context, [droppingSlot(idle.name)]);
    return warning(
      `Nobody receives the WAL that is to be archived; the server keeps ${sizeText(idle.held)} of it.`,
      `Have it go on: ${again}; or give the archive up: ${given}`,
    );
  },
};

const textOf = (until: string | undefined): string =>
  until === undefined
    ? 'WAL is being received.'
    : `WAL is being received; the last instant that can be restored was ${spanText((Date.now() - Date.parse(until)) / secondMs)} ago.`;
