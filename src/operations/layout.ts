import { constants } from 'node:fs';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Home } from '../config/home.js';
import type { Config, OptionKey } from '../config/options.js';
import { configTemplate } from '../config/template.js';
import { badConfiguration, dependencyDown } from '../errors/operator.js';
import type { OperatorError } from '../errors/operator.js';

/** Makes the folders of a home, or makes sure of them. @throws OperatorError (78). */
export async function makeFolders(home: Home): Promise<void> {
  // Others may pass through the home itself: the private database server runs as a user of its own.
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

/** Makes a folder and those above it. (Not mkdir's own recursion, which never ends below /proc.) */
async function makeFolder(folder: string, mode: number): Promise<void> {
  const make = () =>
    mkdir(folder, { mode }).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  try {
    await make();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder), 0o755);
    await make();
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** What a disk says that is full or fails: nothing is wrong with the setting. */
const troublesOfDisks: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE'];

/** A part of the home that this process cannot use: 78, or 69 when its disk is the reason. */
export function notWritable(folder: string, cause: unknown): OperatorError {
  const message = `Cannot write in ${folder}: ${(cause as Error).message}`;
  const setting = 'home';
  if (troublesOfDisks.includes(codeOf(cause))) {
    const remedy = `Make room, and look at the disk: df -h '${folder}'`;
    return dependencyDown(message, { setting, remedy, cause });
  }
  const remedy = `Choose another folder with --home or IMGSTORE_HOME, or let this user write in ${folder}.`;
  return badConfiguration(message, { setting, remedy, cause });
}

/** Writes config.yaml with what the operator chose, unless there is one. @returns whether it did. */
export async function writeConfig(
  home: Home,
  chosen: Partial<Pick<Config, OptionKey>>,
): Promise<boolean> {
  try {
    await writeFile(home.configFile, configTemplate(chosen), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw badConfiguration(`Cannot write ${home.configFile}: ${(error as Error).message}`, {
      setting: 'config',
      remedy: 'Make its folder, writable for this user, or put the file there yourself.',
      cause: error,
    });
  }
}
