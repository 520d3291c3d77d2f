import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { options, optionKeys } from '../../../base/config/options.js';
import { shellWord } from '../../../base/os/command-line.js';
import { isFileMissing } from '../../../base/os/system-error.js';
import { ok, problem, type Check } from '../check.js';
import type { DoctorContext } from '../context.js';

/** The permissions of all other users. */
const everybody = 0o007;

export const secrets: Check = {
  name: 'secrets',
  title: 'No other users of this machine can read the secrets',
  category: 'home',
  run: async (context) => {
    await context.initialized.get();
    const open = await openToEverybody(context);
    if (open.length === 0) return ok('Only their owner and group can read them.');
    const paths = open.map(({ path }) => path);
    return problem(
      `All users of this machine can access ${paths.join(', ')}.`,
      `chmod o-rwx ${paths.map(shellWord).join(' ')}; if others may have read a key: ${context.command('keys', 'rotate', '--revoke-old')}`,
    );
  },
  fix: async (context) => {
    const open = await openToEverybody(context);
    for (const { path, mode } of open) await chmod(path, mode & ~everybody);
    return `Closed to other users: ${open.map(({ path }) => path).join(', ')}.`;
  },
};

interface Path {
  readonly path: string;
  readonly mode: number;
}

async function openToEverybody(context: DoctorContext): Promise<Path[]> {
  const { secrets, tokens, configFile } = context.home;
  const paths = [
    ...(await withContents(secrets)),
    ...(await withContents(tokens)),
    ...((await holdsSecrets(context)) ? [configFile] : []),
  ];
  const found = await Promise.all(
    paths.map(async (path) => ({ path, mode: (await stat(path)).mode & 0o7777 })),
  );
  return found.filter(({ mode }) => (mode & everybody) !== 0);
}

/** A folder and the files in it; empty if it does not exist. */
async function withContents(folder: string): Promise<string[]> {
  try {
    return [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw error;
  }
}

/** Whether config.yaml contains a password or key. */
async function holdsSecrets(context: DoctorContext): Promise<boolean> {
  const settings = await context.settings.get().catch(() => undefined);
  return optionKeys.some((key) => 'secret' in options[key] && settings?.sources[key] === 'file');
}
