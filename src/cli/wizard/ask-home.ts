import { constants, existsSync } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Home, userFolder } from '../../base/config/home.js';
import { badConfiguration } from '../../base/errors/operator.js';
import { notWritable } from '../../ops/home.js';
import { inHome, type Context } from '../context.js';
import { Asking } from './asking.js';

/** Asks for the home. @returns the same context with the chosen home. */
export async function askHome(context: Context): Promise<Context> {
  const asking = new Asking(context, await context.settings('nothing'));
  const dir = await asking.untilItWorks<string>(
    (earlier) =>
      asking.text(
        'In which directory should imgstore keep its data?',
        earlier ?? context.home.dir,
        (text) => text.trim() !== '' || 'This must be the path of a directory.',
      ),
    (answer) => assertUsable(pathOf(answer)),
  );
  return inHome(context, new Home(pathOf(dir)));
}

/** No shell expands an answer, so it may still contain `~`. */
const pathOf = (typed: string): string => resolve(typed.replace(/^~(?=\/|$)/, userFolder() ?? '~'));

async function assertUsable(dir: string): Promise<void> {
  let existing = dir;
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
    const inside = existing === dir ? await readdir(dir) : [];
    const foreign = inside.filter((name) => name !== 'lost+found'); // of the file system
    if (foreign.length === 0 || existsSync(join(dir, 'secrets'))) return;
  } catch (error) {
    throw notWritable(existing, error);
  }
  throw badConfiguration(`${dir} contains other files.`, {
    remedy: `Choose an empty directory, or one that does not exist yet, such as ${join(dir, 'imgstore')}.`,
  });
}
