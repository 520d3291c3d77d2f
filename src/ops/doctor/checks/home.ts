import { access, constants, opendir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { shellWord } from '../../../base/os/command-line.js';
import { isFileMissing, isOfDisk } from '../../../base/os/files.js';
import { namesS3 } from '../../../store/s3/settings.js';
import { notWritable, assertInitialised } from '../../home.js';
import { ok, problem, warning, type Check, type Diagnosis } from '../check.js';
import type { DoctorContext } from '../context.js';

export const home: Check = {
  name: 'home',
  title: 'The home exists, with its folders',
  category: 'home',
  run: async (context) => {
    await context.initialized.open();
    const { dir, run, secrets, store, incoming } = context.home;
    await assertInitialised(context.home);
    const folders = [run, secrets, store, incoming];
    const found = await Promise.all(folders.map((folder) => stat(folder).catch(() => undefined)));
    const missing = folders.filter((_folder, index) => !found[index]?.isDirectory());
    if (missing.length > 0) {
      return problem(
        `The home lacks ${missing.join(', ')}: a missing mount, or an incomplete copy.`,
        `Mount it, or restore it from a backup; init creates it empty: ${context.command('init')}`,
      );
    }
    for (const folder of folders) {
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch(
        (cause: unknown) => {
          throw notWritable(folder, cause);
        },
      );
    }
    return ok(dir);
  },
};

/** Entries checked per folder: a wrong owner rarely affects only one. */
const maxEntries = 1_000;

const { R_OK, W_OK } = constants;

export const owners: Check = {
  name: 'owners',
  title: 'The service can read and write what it needs',
  category: 'home',
  run: async (context) => {
    await context.initialized.get();
    const { dir, configFile, secrets, tokens, store, incoming, run } = context.home;
    const closed: string[] = [];
    for (const folder of [secrets, tokens, store, incoming, run]) {
      for await (const path of entriesOf(folder)) {
        if (!(await may(path, folder === secrets ? R_OK : R_OK | W_OK))) closed.push(path);
      }
    }
    if (!(await may(configFile, R_OK))) closed.push(configFile);
    if (closed.length === 0) return ok(`This user (uid ${process.getuid?.()}) may use all of it.`);
    const owner = `${process.getuid?.()}:${process.getgid?.()}`;
    const more = closed.length > 5 ? ` and ${closed.length - 5} more` : '';
    return problem(
      `This user (uid ${process.getuid?.()}) may not use ${closed.slice(0, 5).join(', ')}${more}.`,
      `If the home is this user's: sudo chown -R ${owner} ${closed.slice(0, 5).map(shellWord).join(' ')}; otherwise run imgstore as the user that owns ${dir}`,
    );
  },
};

async function* entriesOf(folder: string): AsyncGenerator<string> {
  yield folder;
  let left = maxEntries;
  try {
    for await (const entry of await opendir(folder)) {
      // Only the database server may enter the folder of its socket.
      if (entry.name === 'postgresql' || isOfDisk(entry.name)) continue;
      if ((left -= 1) < 0) return;
      yield join(folder, entry.name);
    }
  } catch {
    // Another finding reports that it is missing or closed.
  }
}

/** Whether this user may, or the file does not exist. */
const may = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    (error: unknown) => isFileMissing(error),
  );

/** Types of unsafe file systems, as statfs(2) reports them. */
const volatile = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
]);
const remote = new Map([
  [0x6969, 'NFS'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
]);
const overlay = 0x794c7630;

export const fileSystem: Check = {
  name: 'file-system',
  title: 'The data is on a persistent file system',
  category: 'home',
  run: async (context) => {
    const config = await context.config();
    const { database, store } = context.home;
    const holders: [folder: string, what: string][] = [
      ...(config['database.url'] ? [] : [[database, 'database'] satisfies [string, string]]),
      ...(namesS3(config) ? [] : [[store, 'store'] satisfies [string, string]]),
    ];
    for (const [folder, what] of holders) {
      if (!(await stat(folder).catch(() => undefined))?.isDirectory()) continue;
      const finding = await judgeFileSystem(context, folder, what);
      if (finding) return finding;
    }
    return ok('The data is on disks of this machine, or elsewhere as configured.');
  },
};

async function judgeFileSystem(
  { home }: DoctorContext,
  folder: string,
  what: string,
): Promise<Diagnosis | undefined> {
  const { type } = await statfs(folder);
  const memory = volatile.get(type);
  if (memory !== undefined) {
    return problem(
      `The ${what} in ${folder} is in memory (${memory}): it is lost when the machine restarts.`,
      `Stop the service, copy the home to a disk (cp -a ${home.dir} /srv/imgstore), and serve it from there: --home /srv/imgstore`,
    );
  }
  const network = remote.get(type);
  if (network !== undefined && what === 'database') {
    return warning(
      `The private database in ${folder} is on ${network}, where the server can lose data that it considers written.`,
      `Keep the home on a disk of this machine and the objects elsewhere (S3, or a mount at ${home.store}), or use a database server: database.url`,
    );
  }
  if (type !== overlay) return undefined;
  return warning(
    `The ${what} in ${folder} is in the layer of a container (overlay): it is lost with the container.`,
    `Mount a volume there: docker run -v imgstore:${home.dir} …`,
  );
}
