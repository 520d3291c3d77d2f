import { accessSync, constants, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join, relative } from 'node:path';

/** How this program was started. */
interface Invocation {
  /** The path of the program, as the shell found it. */
  readonly path: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const here = (): Invocation => ({
  path: process.argv[1] ?? '',
  cwd: currentFolder(),
  env: process.env,
});

/** Empty if the folder has been deleted meanwhile. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '';
  }
}

const usualName = 'imgstore';

/**
 * The command that starts this program again: `imgstore` only works if it is on the path, which it
 * is not in a clone.
 */
export function programName({ path, cwd, env }: Invocation = here()): string {
  // Set by a script that starts the program under another name, as in the Debian package.
  if (env.IMGSTORE_PROGRAM) return env.IMGSTORE_PROGRAM;
  if (basename(path) !== usualName) return usualName; // a part of another program
  if (isPackageFolder(dirname(path))) return `npx ${usualName}`;
  if (resolvesTo(path, env.PATH ?? '')) return usualName;
  if (cwd === '') return path; // "relative" would ask for the folder again
  const near = relative(cwd, path);
  return near.startsWith('..') ? path : near;
}

/** npm puts the programs of a project's packages there, and only npm and npx search it. */
const isPackageFolder = (folder: string): boolean => folder.endsWith('/node_modules/.bin');

/** Whether the shell finds this program by its name. */
function resolvesTo(path: string, folders: string): boolean {
  const searched = folders.split(delimiter).filter((folder) => !isPackageFolder(folder));
  const found = searched.map((folder) => join(folder, usualName)).find(isExecutable);
  return found !== undefined && realpathSync(found) === realpathSync(path);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A word quoted for a shell, if necessary. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** A command of this program that works in the current folder, ready to be pasted. */
export const commandLine = (...words: readonly string[]): string =>
  [programName(), ...words.map(shellWord)].join(' ');
