import { access, writeFile, constants, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  configTemplate,
  readConfigText,
  hasSetting,
  lostSettings,
  replaceText,
  withSetting,
} from '../base/config/config-file.js';
import type { Home } from '../base/config/home.js';
import type { Config, OptionKey } from '../base/config/options.js';
import {
  badConfiguration,
  dependencyDown,
  type OperatorError,
  failure,
} from '../base/errors/operator.js';
import { commandLine } from '../base/os/command-line.js';
import { errnoOf, isOfDisk, makeFolder } from '../base/os/files.js';
import { refuseUnmounted } from '../base/os/mounts.js';
import { acquireLock, LockHeldError, readLock, type Lock } from '../base/os/process-lock.js';
import { clearNextCluster } from '../database/postgres/next-cluster.js';
import type { Confinement } from '../imaging/sandbox.js';

/** @throws OperatorError 78 if a disk of the home is not mounted, and the home or its part is bare. */
export const requireMounted = (home: Home): Promise<void> =>
  refuseUnmounted(home.dir, [home.database, home.store, home.secrets, home.incoming]);

/** Creates the folders of a home where missing, and checks them. @throws OperatorError (78). */
export async function makeHomeDirectories(home: Home): Promise<void> {
  await requireMounted(home);
  // Others may enter the home itself: the private database server runs as a separate user.
  const folders: [string, number][] = [
    [home.dir, 0o755],
    [home.run, 0o755],
    [home.secrets, 0o700],
    [home.store, 0o700],
    [home.incoming, 0o700],
  ];
  for (const [folder, mode] of folders) {
    try {
      await makeFolder(folder, mode);
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (cause) {
      throw notWritable(folder, cause);
    }
  }
}

/** A part of the home that this process cannot use: 78, or 69 if the disk is the reason. */
export function notWritable(folder: string, cause: unknown): OperatorError {
  const message = `Cannot write in ${folder}: ${(cause as Error).message}`;
  const setting = 'home';
  if (diskErrors.includes(errnoOf(cause))) {
    const remedy = `Free up space, and check the disk: df -h '${folder}'`;
    return dependencyDown(message, { setting, remedy, cause });
  }
  const user = `${process.getuid?.()}:${process.getgid?.()}`;
  const remedy = `Choose another folder with --home or IMGSTORE_HOME, or give this one to this user: sudo chown -R ${user} ${folder}`;
  return badConfiguration(message, { setting, remedy, cause });
}

/** Errors of a full or failing disk: nothing is wrong with the setting. */
const diskErrors: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE'];

/** @throws OperatorError 78 with the command that initializes it. */
export async function assertInitialised(home: Home): Promise<void> {
  try {
    await access(home.run, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw notWritable(home.run, error);
    await requireMounted(home);
    throw badConfiguration(`${home.dir} is not an imgstore home yet.`, {
      setting: 'home',
      remedy: commandLine('init', '--home', home.dir),
      cause: error,
    });
  }
}

/**
 * Acquires the lock of the only service that may serve a home.
 * @throws OperatorError 1 when the home is already being served, 78 when it is not initialized or
 * not writable.
 */
export async function lockHome(home: Home): Promise<Lock> {
  await assertInitialised(home);
  return acquireLock(home.serveLock).catch((error: unknown) => {
    if (errnoOf(error) !== undefined) throw notWritable(home.run, error);
    if (!(error instanceof LockHeldError)) throw error;
    const { pid, name, info } = error.holder;
    const where = typeof info.address === 'string' ? ` at ${info.address}` : '';
    throw failure(`This home is already being served by ${name}${where}.`, {
      code: 'in_use',
      setting: 'home',
      remedy: `Stop that process first ("kill ${pid}"), or choose another --home.`,
    });
  });
}

/**
 * Removes what a crash left behind: uploads, scratch folders, and a database that was to replace the present one.
 * Only for who has the lock of the home and its database.
 */
export async function clearLeftovers(home: Home): Promise<void> {
  try {
    await emptyFolder(home.incoming);
    await clearNextCluster(home);
    const { clearScratch } = await import('../database/postgres/scratch.js');
    await clearScratch(home);
  } catch (error) {
    throw errnoOf(error) === undefined ? error : notWritable(home.incoming, error);
  }
}

/** A service that is running for a home, as its lock file describes it. */
export interface ServiceHolder {
  readonly pid: number;
  /** At which this machine reaches it; undefined while it is starting. */
  readonly url: string | undefined;
  readonly version: string;
  readonly startedAt: Date;
  /** Whether it was started with the settings of S3. */
  readonly knowsS3: boolean;
  /** What confines its imaging processes; of older versions, unknown. */
  readonly confinement: Confinement | undefined;
}

export async function findService(home: Home): Promise<ServiceHolder | undefined> {
  const holder = await readLock(home.serveLock).catch((error: unknown) => {
    throw errnoOf(error) === undefined ? error : notWritable(home.run, error);
  });
  if (!holder) return undefined;
  const { address, version, started_at: started, s3, confinement } = holder.info;
  return {
    pid: holder.pid,
    url: typeof address === 'string' ? address : undefined,
    version: String(version),
    startedAt: new Date(typeof started === 'string' ? started : Date.now()),
    knowsS3: s3 === true,
    confinement: confinement as Confinement | undefined,
  };
}

/** The folder itself stays, since it may be a mount point. */
async function emptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (errnoOf(error) !== 'EEXIST') throw error;
  });
  for (const name of await readdir(folder)) {
    if (isOfDisk(name)) continue;
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * Writes config.yaml with the operator's values unless it exists. @returns whether it was written.
 */
export async function writeConfig(
  home: Home,
  chosen: Partial<Pick<Config, OptionKey>>,
): Promise<boolean> {
  const text = configTemplate(chosen);
  const [lost] = lostSettings(text, chosen);
  if (lost !== undefined) throw unwritable(home, lost);
  try {
    await writeFile(home.configFile, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    const remedy = 'Create its folder, writable for this user, or put the file there yourself.';
    throw configNotWritten(home, error, remedy);
  }
}

/**
 * Writes one setting into config.yaml, and keeps its comments and other settings; the file is
 * replaced atomically. @param value null removes the setting.
 */
export async function storeSetting(home: Home, key: OptionKey, value: unknown): Promise<void> {
  const before = await readConfigText(home);
  if (before === undefined) {
    await writeConfig(home, value === null ? {} : { [key]: value });
    return;
  }
  await replaceText(home.configFile, editedText(home, before, key, value)).catch(
    (cause: unknown) => {
      throw configNotWritten(home, cause, 'Run the command as the owner of the file.');
    },
  );
}

/** @throws OperatorError 1 if `storeSetting` could not write the file. */
export async function requireEditable(home: Home, key: OptionKey, value: unknown): Promise<void> {
  const before = await readConfigText(home);
  if (before !== undefined) editedText(home, before, key, value);
}

function editedText(home: Home, before: string, key: OptionKey, value: unknown): string {
  const after = withSetting(before, key, value);
  if (hasSetting(after, key, value)) return after;
  throw unwritable(home, key);
}

const unwritable = ({ configFile }: Home, key: OptionKey): OperatorError =>
  failure(`${configFile} is written in a way that this command cannot change.`, {
    setting: key,
    remedy: `Change ${key} in ${configFile} with an editor, then run "${commandLine('config', 'check')}".`,
  });

const configNotWritten = ({ configFile }: Home, cause: unknown, remedy: string): OperatorError =>
  badConfiguration(`Cannot write ${configFile}: ${(cause as Error).message}`, {
    setting: 'config',
    remedy,
    cause,
  });
