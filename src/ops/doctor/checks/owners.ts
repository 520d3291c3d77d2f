import { access, constants, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { shellWord } from '../../../base/os/command-line.js';
import { isFileMissing } from '../../../base/os/system-error.js';
import { ok, problem, type Check } from '../check.js';

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
      if (entry.name === 'postgresql' || entry.name === 'lost+found') continue;
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
