import { sizeText, bytesPerMegabyte } from '../../../base/units.js';
import { memoryMb } from '../../../base/os/machine.js';
import { ok, problem, warning, type Check } from '../check.js';

/** Maximum share of the memory for images; the rest is for the database and the service. */
const share = 0.75;

const text = (megabytes: number): string => sizeText(megabytes * bytesPerMegabyte);

export const memory: Check = {
  name: 'memory',
  title: 'There is memory for images and for the rest',
  category: 'machine',
  run: async (context) => {
    const { 'imaging.memory_mb': wanted } = await context.config();
    const all = Math.floor(memoryMb());
    const said = `Images may take ${text(wanted)} of ${text(all)} of memory`;
    if (wanted <= all * share) return ok(`${said}.`);
    const less = String(Math.max(256, Math.floor(all / 4)));
    return (wanted > all ? problem : warning)(
      `${said}, which leaves too little for the database and the service.`,
      context.command('config', 'set', 'imaging.memory_mb', less),
    );
  },
};
