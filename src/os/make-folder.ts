import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from './system-error.js';

/** Makes one folder, unless it is there. @throws of something else in its place, EEXIST. */
async function makeOne(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error;
  }
}

/**
 * Makes a folder where missing, and its parents with the usual mode. For places that somebody names:
 * mkdir's own recursion never ends below /proc.
 */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  try {
    await makeOne(folder, mode);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder), 0o755);
    await makeOne(folder, mode);
  }
}
