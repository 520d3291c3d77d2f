import { access, constants, stat } from 'node:fs/promises';
import { notWritable } from '../../home-directories.js';
import { assertInitialised } from '../../lock-home.js';
import { ok, problem, type Check } from '../check.js';

export const home: Check = {
  name: 'home',
  title: 'The home exists, with its folders',
  category: 'home',
  run: async (context) => {
    await context.initialized.open();
    const { dir, run, secrets, store, incoming } = context.home;
    await assertInitialised(context.home);
    const folders = [run, secrets, store, incoming];
    const found = await Promise.all(folders.map((folder) => stat(folder).catch(() => undefined)));
    const missing = folders.filter((_folder, index) => !found[index]?.isDirectory());
    if (missing.length > 0) {
      return problem(
        `The home lacks ${missing.join(', ')}: a missing mount, or an incomplete copy.`,
        `Mount it, or restore it from a backup; init creates it empty: ${context.command('init')}`,
      );
    }
    for (const folder of folders) {
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch(
        (cause: unknown) => {
          throw notWritable(folder, cause);
        },
      );
    }
    return ok(dir);
  },
};
