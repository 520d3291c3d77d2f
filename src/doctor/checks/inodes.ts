import { statfs } from 'node:fs/promises';
import { shellWord } from '../../os/command-line.js';
import { ok, problem, warning, type Check } from '../check.js';
import { disksOf } from '../disks.js';

/** Shares of all inodes that should be free. */
const enough = 0.05;
const scarce = 0.01;

export const inodes: Check = {
  name: 'inodes',
  title: 'The disks have room for more files',
  category: 'machine',
  run: async (context) => {
    const counts = await Promise.all(
      (await disksOf(context.home)).map(async (folder) => {
        const { files, ffree } = await statfs(folder);
        // Some file systems have no such limit.
        return { folder, ffree, share: files > 0 ? ffree / files : 1 };
      }),
    );
    const [least] = counts.sort((a, b) => a.share - b.share);
    if (!least || least.share > enough) return ok('There is room for more files.');
    const { folder, ffree, share } = least;
    return (share > scarce ? warning : problem)(
      `Only ${ffree.toLocaleString('en')} more files fit on the disk of ${folder} (inodes), however much space is left.`,
      `See which folder has so many (du --inodes -x ${shellWord(folder)} | sort -n | tail); to have more inodes, make the file system anew (mkfs.ext4 -T news), or use XFS.`,
    );
  },
};
