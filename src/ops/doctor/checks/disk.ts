import { sizeText, toBytes } from '../../../base/units.js';
import { freeSpace } from '../../../base/os/machine.js';
import { shellWord } from '../../../base/os/command-line.js';
import { ok, problem, warning, type Check } from '../check.js';
import { disksOf } from '../disks.js';

export const disk: Check = {
  name: 'disk',
  title: 'The disks have free space',
  category: 'machine',
  run: async (context) => {
    const { 'limits.min_free_disk_mb': given } = await context.config();
    const mark = given === undefined ? undefined : toBytes(given);
    const spaces = await Promise.all(
      (await disksOf(context.home)).map(async (folder) => ({
        folder,
        ...(await freeSpace(folder, mark)),
      })),
    );
    const [least] = spaces.sort((a, b) => a.free - a.mark - (b.free - b.mark));
    if (!least) return ok('The home has no folders yet.');
    const { folder, free } = least;
    const said = `${sizeText(free)} are free in ${folder}`;
    if (free >= 2 * least.mark) return ok(`${said}.`);
    const remedy = `Free up space (du -xh ${shellWord(folder)} | sort -h | tail), enlarge the disk, or empty the trash: ${context.command('trash', 'list')}`;
    const mind = `${said}; below ${sizeText(least.mark)} (limits.min_free_disk_mb) uploads are refused`;
    return free < least.mark ? problem(`${mind}, as now.`, remedy) : warning(`${mind}.`, remedy);
  },
};
