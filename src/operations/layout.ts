import { constants } from 'node:fs';
import { access, mkdir, writeFile } from 'node:fs/promises';
import type { Home } from '../config/home.js';
import type { Config, OptionKey } from '../config/options.js';
import { configTemplate } from '../config/template.js';
import { badConfiguration } from '../errors/operator.js';

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
      await mkdir(folder, { recursive: true, mode });
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (cause) {
      throw badConfiguration(`Cannot write in ${folder}: ${(cause as Error).message}`, {
        setting: 'home',
        remedy: `Choose another folder with --home or IMGSTORE_HOME, or let this user write in ${folder}.`,
        cause,
      });
    }
  }
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
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
