import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { counted, dayMs } from '../../../base/units.js';
import { decodersFolder } from '../../../imaging/sandbox.js';
import { shellWord } from '../../../base/os/command-line.js';
import { isFileMissing } from '../../../base/os/system-error.js';
import { ok, warning, type Check } from '../check.js';

/** No upload takes this long, in milliseconds. */
const leftoverMs = dayMs;

export const incoming: Check = {
  name: 'incoming',
  title: 'Nothing is left of aborted uploads',
  category: 'upkeep',
  run: async (context) => {
    await context.initialized.get();
    const folder = context.home.incoming;
    const left = await leftovers(folder);
    if (left.length === 0) return ok('There is nothing older than a day.');
    return warning(
      `${counted(left.length, 'upload')} that ended more than a day ago left files in ${folder}.`,
      `find ${shellWord(folder)} -mindepth 1 -maxdepth 1 -mtime +0 ! -name lost+found ! -name ${decodersFolder} -exec rm -r {} +`,
    );
  },
  fix: async (context) => {
    const left = await leftovers(context.home.incoming);
    for (const path of left) await rm(path, { recursive: true, force: true });
    return `Removed what ${counted(left.length, 'upload')} left in ${context.home.incoming}.`;
  },
};

async function leftovers(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isFileMissing(error)) return [];
    throw error;
  });
  const paths = names
    .filter((name) => name !== 'lost+found' && name !== decodersFolder)
    .map((name) => join(folder, name));
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  const now = Date.now();
  return paths.filter((_path, index) => now - (found[index]?.mtimeMs ?? now) > leftoverMs);
}
