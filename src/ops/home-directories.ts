import { constants } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import type { Home } from '../base/config/home.js';
import type { Config, OptionKey } from '../base/config/options.js';
import { configTemplate } from '../base/config/config-file.js';
import { badConfiguration, dependencyDown, type OperatorError } from '../base/errors/operator.js';
import { makeFolder } from '../base/os/make-folder.js';

/** Creates the folders of a home where missing, and checks them. @throws OperatorError (78). */
export async function makeHomeDirectories(home: Home): Promise<void> {
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

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Errors of a full or failing disk: nothing is wrong with the setting. */
const diskErrors: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE'];

/** A part of the home that this process cannot use: 78, or 69 if the disk is the reason. */
export function notWritable(folder: string, cause: unknown): OperatorError {
  const message = `Cannot write in ${folder}: ${(cause as Error).message}`;
  const setting = 'home';
  if (diskErrors.includes(codeOf(cause))) {
    const remedy = `Free up space, and check the disk: df -h '${folder}'`;
    return dependencyDown(message, { setting, remedy, cause });
  }
  const user = `${process.getuid?.()}:${process.getgid?.()}`;
  const remedy = `Choose another folder with --home or IMGSTORE_HOME, or give this one to this user: sudo chown -R ${user} ${folder}`;
  return badConfiguration(message, { setting, remedy, cause });
}

/**
 * Writes config.yaml with the operator's values unless it exists. @returns whether it was written.
 */
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
      remedy: 'Create its folder, writable for this user, or put the file there yourself.',
      cause: error,
    });
  }
}
