import { mkdir, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf, isFileMissing } from '../base/os/system-error.js';

/**
 * Creates `folder` and its missing parents. Never creates the root: a missing root is a missing
 * mount, and objects written beneath it would be hidden once it is mounted again.
 */
export async function makeDirectory(folder: string, root: string): Promise<void> {
  if (folder === root) return;
  try {
    await mkdir(folder);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return;
    if (errnoOf(error) !== 'ENOENT') throw error;
    await makeDirectory(dirname(folder), root);
    await makeLeafDirectory(folder);
  }
}

async function makeLeafDirectory(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

/** Attempts to create a folder that concurrent deletes keep removing. */
const maxAttempts = 50;

/** Retries `work` while concurrent deletes remove folders that were empty at that moment. */
export async function retryWhileRemoved(work: (attempt: number) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT' || attempt === maxAttempts) throw error;
    }
  }
}

/** Removes `folder` and its parents as far as they are empty; returns the first one that stays. */
export async function removeEmptyDirectories(folder: string, root: string): Promise<string> {
  if (folder === root) return root;
  try {
    await rmdir(folder);
  } catch (error) {
    const errno = errnoOf(error) ?? '';
    if (['ENOTEMPTY', 'EEXIST', 'EBUSY'].includes(errno)) return folder;
    // ENOENT, ENOTDIR: another delete got here first, or the folder never existed.
    if (!isFileMissing(error)) throw error;
  }
  return removeEmptyDirectories(dirname(folder), root);
}

/** `folder` and every folder above it, up to and including the root. */
export function withAncestors(folder: string, root: string): string[] {
  return folder === root ? [root] : [folder, ...withAncestors(dirname(folder), root)];
}
