import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { badConfiguration } from '../errors/operator.js';
import { isOfDisk } from './files.js';

/** Units that administrators write; those of the system itself (`tmp.mount`) need not be in use. */
const unitFolders = ['/etc/systemd/system', '/run/systemd/system'];

/**
 * Refuses to fill a folder whose disk is not mounted, which would hide what is made there as soon as
 * it is: the system is to mount one at a path on the way to or within the folder, has not yet, and nothing is there.
 * @param inner the parts of `folder` that may be disks of their own.
 * @throws OperatorError 78.
 */
export async function refuseUnmounted(folder: string, inner: readonly string[]): Promise<void> {
  const paths = await Promise.all([folder, ...inner].map(resolved));
  const [root = folder] = paths;
  const mounted = pathsOf(await textOf('/proc/self/mountinfo'), 4);
  if (mounted.length === 0) return; // not Linux, or hidden: nothing is known
  for (const { path, source } of await expectedMounts()) {
    const within = paths.includes(path);
    if (!(within || root.startsWith(`${path}/`)) || mounted.includes(path)) continue;
    if (!(await isBare(within ? path : root))) continue;
    throw badConfiguration(`${path}, which ${source} mounts, is not mounted, and is empty.`, {
      code: 'missing',
      setting: 'home',
      remedy: `Mount it first (mount ${path}), or remove it from ${source} if no disk belongs there.`,
    });
  }
}

/** Where the system mounts disks, and the file that says so. */
async function expectedMounts(): Promise<{ path: string; source: string }[]> {
  const fstab = '/etc/fstab';
  const found = pathsOf(await textOf(fstab), 1).map((path) => ({ path, source: fstab }));
  for (const folder of unitFolders) {
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.endsWith('.mount')) continue;
      const source = join(folder, name);
      const path = /^\s*Where\s*=\s*(\/.*?)\/*\s*$/m.exec(await textOf(source))?.[1];
      if (path) found.push({ path, source });
    }
  }
  return Promise.all(found.map(async (one) => ({ ...one, path: await resolved(one.path) })));
}

/** The paths in a column of a table of mounts, where blanks are written as octal numbers. */
const pathsOf = (table: string, column: number): string[] =>
  table
    .split('\n')
    .filter((line) => !/^\s*(?:#|$)/.test(line))
    .map((line) => line.trim().split(/\s+/)[column] ?? '')
    .filter((path) => path.startsWith('/') && path !== '/')
    .map((path) =>
      path.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(parseInt(code, 8))),
    )
    .map((path) => path.replace(/\/+$/, ''));

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** Without symbolic links, as far as the path exists. */
const resolved = (path: string): Promise<string> =>
  realpath(path).catch(async () =>
    dirname(path) === path
      ? path
      : join(await resolved(dirname(path)), path.slice(dirname(path).length)),
  );

/** Whether a folder is missing, or has nothing that anyone put there. */
const isBare = (folder: string): Promise<boolean> =>
  readdir(folder).then(
    (names) => names.every(isOfDisk),
    () => true,
  );
