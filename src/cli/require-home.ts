import { stat } from 'node:fs/promises';
import type { Home } from '../config/home.js';
import { badConfiguration } from '../errors/operator.js';
import { commandLine } from '../os/command-line.js';

/**
 * What a command needs to find: the home, and the file if it was named; one of the two at least, if
 * it only reads settings; the file if it was named, if it works for other machines too; or nothing,
 * if it creates what is missing.
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

/** Anything but "no such file" is for those to explain who read it. */
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) =>
      !['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code)),
  );
