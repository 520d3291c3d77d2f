import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { options, optionKeys } from '../../config/options.js';
import { shellWord } from '../../os/command-line.js';
import { isFileMissing } from '../../os/system-error.js';
import { ok, problem, type Check } from '../check.js';
import type { DoctorContext } from '../context.js';

/** The rights of everybody on the machine. */
const everybody = 0o007;

export const secrets: Check = {
  name: 'secrets',
  title: 'Nobody else on this machine can read the secrets',
  category: 'home',
  run: async (context) => {
    await context.initialized.get();
    const open = await openToEverybody(context);
    if (open.length === 0) return ok('Only their owner and group can read them.');
    const paths = open.map(({ path }) => path);
    return problem(
      `Everybody on this machine can get at ${paths.join(', ')}.`,
      `chmod o-rwx ${paths.map(shellWord).join(' ')}; if others may have read a key: ${context.command('keys', 'rotate', '--revoke-old')}`,
    );
  },
  fix: async (context) => {
    const open = await openToEverybody(context);
    for (const { path, mode } of open) await chmod(path, mode & ~everybody);
    return `Closed to everybody else: ${open.map(({ path }) => path).join(', ')}.`;
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

/** A folder and the files in it; nothing if there is none. */
async function withContents(folder: string): Promise<string[]> {
  try {
    return [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw error;
  }
}

/** Whether a password or key stands in the file with the settings. */
async function holdsSecrets(context: DoctorContext): Promise<boolean> {
  const settings = await context.settings.get().catch(() => undefined);
  return optionKeys.some((key) => 'secret' in options[key] && settings?.sources[key] === 'file');
}
