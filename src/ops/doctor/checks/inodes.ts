import { statfs } from 'node:fs/promises';
import { shellWord } from '../../../base/os/command-line.js';
import { ok, problem, warning, type Check } from '../check.js';
import { disksOf } from '../disks.js';

/** Shares of all inodes that should be free. */
const enough = 0.05;
const scarce = 0.01;

export const inodes: Check = {
  name: 'inodes',
  title: 'The disks have free inodes',
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
    if (!least || least.share > enough) return ok('There are enough free inodes.');
    const { folder, ffree, share } = least;
    return (share > scarce ? warning : problem)(
      `Only ${ffree.toLocaleString('en')} inodes, and so files, are left on the disk of ${folder}, regardless of free space.`,
      `Find the folder with the most files (du --inodes -x ${shellWord(folder)} | sort -n | tail); for more inodes, recreate the file system (mkfs.ext4 -T news), or use XFS.`,
    );
  },
};
