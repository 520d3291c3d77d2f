import { readFile, stat, statfs } from 'node:fs/promises';
import type { Home } from '../../../base/config/home.js';
import { shellWord } from '../../../base/os/command-line.js';
import { filesFor, freeSpace, memoryMb, openFilesLimit } from '../../../base/os/machine.js';
import { run } from '../../../base/os/run.js';
import { bytesPerMegabyte, secondMs, sizeText, toBytes } from '../../../base/units.js';
import { ok, problem, warning, type Check, type Diagnosis } from '../check.js';
import { Skip } from '../context.js';

/** As in package.json. */
const oldest = [20, 19] as const;

/** @param version such as 20.19.0. */
export function judgeNode(version: string): Diagnosis {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) {
    return ok(`Node.js ${version}.`);
  }
  return problem(
    `This is Node.js ${version}; imgstore needs ${oldest.join('.')} or newer.`,
    'Install a newer one: https://nodejs.org/en/download, or the Debian package of imgstore, which includes its own.',
  );
}

export const node: Check = {
  name: 'node',
  title: 'Node.js is new enough',
  category: 'machine',
  run: () => judgeNode(process.versions.node),
};

/** Processor features that the image library requires (x86-64-v2), as the kernel names them. */
const required = ['cx16', 'lahf_lm', 'popcnt', 'sse4_1', 'sse4_2', 'ssse3'];

/** @param description the text of /proc/cpuinfo. */
export function judgeProcessor(description: string): Diagnosis {
  const flags = /^flags\s*:(.*)$/m.exec(description)?.[1]?.trim().split(' ') ?? [];
  const missing = required.filter((flag) => !flags.includes(flag));
  if (missing.length === 0)
    return ok('The processor has all features that the image library needs.');
  return problem(
    `The processor lacks ${missing.join(', ')}, which the image library needs (x86-64-v2).`,
    'Give a virtual machine the CPU type of its host, such as "cpu: host" in Proxmox or "<cpu mode=\'host-passthrough\'/>" in libvirt; otherwise use a machine from 2009 or later.',
  );
}

export const cpu: Check = {
  name: 'cpu',
  title: 'The processor supports the image library',
  category: 'machine',
  run: async () => {
    if (process.arch !== 'x64') return ok(`The architecture is ${process.arch}.`);
    return judgeProcessor(await readFile('/proc/cpuinfo', 'utf8'));
  },
};

/** Maximum share of the memory for images; the rest is for the database and the service. */
const imagesShare = 0.75;

const text = (megabytes: number): string => sizeText(megabytes * bytesPerMegabyte);

export const memory: Check = {
  name: 'memory',
  title: 'There is memory for images and for the rest',
  category: 'machine',
  run: async (context) => {
    const { 'imaging.memory_mb': wanted } = await context.config();
    const all = Math.floor(memoryMb());
    const said = `Images may take ${text(wanted)} of ${text(all)} of memory`;
    if (wanted <= all * imagesShare) return ok(`${said}.`);
    const less = String(Math.max(256, Math.floor(all / 4)));
    return (wanted > all ? problem : warning)(
      `${said}, which leaves too little for the database and the service.`,
      context.command('config', 'set', 'imaging.memory_mb', less),
    );
  },
};

export const descriptors: Check = {
  name: 'descriptors',
  title: 'The limit of open files is high enough for the connections',
  category: 'machine',
  run: async (context) => {
    const { 'limits.max_connections': connections } = await context.config();
    const holder = await context.service.find();
    const limit = openFilesLimit(holder?.pid) ?? openFilesLimit() ?? Infinity;
    const needed = filesFor(connections);
    if (needed <= limit) return ok(`${limit} files may be open; at most ${needed} are needed.`);
    return warning(
      `${connections} connections need ${needed} open files; the limit is ${limit}.`,
      `Raise the limit: LimitNOFILE=${needed} in the unit, or "ulimit -n ${needed}" in the shell before serve`,
    );
  },
};

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

/** Shares of all inodes that should be free. */
const enoughInodes = 0.05;
const scarceInodes = 0.01;

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
    if (!least || least.share > enoughInodes) return ok('There are enough free inodes.');
    const { folder, ffree, share } = least;
    return (share > scarceInodes ? warning : problem)(
      `Only ${ffree.toLocaleString('en')} inodes, and so files, are left on the disk of ${folder}, regardless of free space.`,
      `Find the folder with the most files (du --inodes -x ${shellWord(folder)} | sort -n | tail); for more inodes, recreate the file system (mkfs.ext4 -T news), or use XFS.`,
    );
  },
};

const limitMs = 5 * secondMs;

export const timeSync: Check = {
  name: 'time-sync',
  title: 'The clock of this machine is synchronized',
  category: 'machine',
  run: async () => {
    const asked = await run('timedatectl', ['show', '--property=NTPSynchronized', '--value'], {
      timeoutMs: limitMs,
    }).catch(() => undefined);
    const said = asked?.code === 0 ? asked.stdout.trim() : '';
    if (said === 'yes') return ok('The clock follows a time server.');
    if (said !== 'no')
      throw new Skip('timedatectl does not report whether the clock is synchronized');
    return warning(
      'The clock follows no time server: times of uploads, tokens and signed URLs will be wrong sooner or later.',
      'timedatectl set-ntp true (if that is not supported: apt-get install systemd-timesyncd)',
    );
  },
};

/** Those of the folders that exist. */
async function existing(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => stat(folder).catch(() => undefined)));
  return folders.filter((_folder, index) => found[index]?.isDirectory());
}

/** One folder of the home on each of its disks. */
async function disksOf({ dir, store, incoming, database }: Home): Promise<string[]> {
  const folders = await existing([store, incoming, database, dir]);
  const disks = await Promise.all(folders.map(async (folder) => (await stat(folder)).dev));
  return folders.filter((_folder, index) => disks.indexOf(disks[index] ?? 0) === index);
}
