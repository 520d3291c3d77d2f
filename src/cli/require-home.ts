import { stat } from 'node:fs/promises';
import type { Home } from '../base/config/home.js';
import { badConfiguration } from '../base/errors/operator.js';
import { commandLine } from '../base/os/command-line.js';

/**
 * What must exist for a command. `home`: the home, and the file if it was named. `settings`, for
 * commands that only read settings: the home or the named file. `file`, for commands that also work
 * for other machines: the file if it was named. `nothing`: the command creates what is missing.
 */
export type Needs = 'home' | 'settings' | 'file' | 'nothing';

/** @throws OperatorError (78) with the command that creates what is missing. */
export async function requireHome(home: Home, needs: Needs): Promise<void> {
  if (needs === 'nothing') return;
  if (home.configNamed && !(await exists(home.configFile))) {
    throw badConfiguration(
      `There is no ${home.configFile}, which --config or IMGSTORE_CONFIG names.`,
      {
        setting: 'config',
        remedy: `Correct the path, or create the file: ${commandLine('init', '--home', home.dir, '--config', home.configFile)}`,
      },
    );
  }
  const fileIsEnough = needs === 'file' || (needs === 'settings' && home.configNamed);
  if (fileIsEnough || (await exists(home.dir))) return;
  throw badConfiguration(`${home.dir} is not an imgstore home yet.`, {
    setting: 'home',
    remedy: commandLine('init', '--home', home.dir),
  });
}

/** Any error but "no such file" is left to the code that reads the path. */
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) =>
      !['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code)),
  );
