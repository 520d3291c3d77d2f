import { mkdir, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf, isAbsent } from '../os/system-error.js';

/**
 * Makes `folder` and what is missing above it. Never makes the root: a missing root is a missing
 * mount, and objects written beside it would be lost when it comes back.
 */
export async function makeFolder(folder: string, root: string): Promise<void> {
  if (folder === root) return;
  try {
    await mkdir(folder);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return;
    if (errnoOf(error) !== 'ENOENT') throw error;
    await makeFolder(dirname(folder), root);
    await makeLeaf(folder);
  }
}

async function makeLeaf(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

/** Attempts at a folder that concurrent deletes keep removing. */
const maxAttempts = 50;

/** Repeats `work` while deletes remove folders, empty at that moment, from under it. */
export async function persistently(work: (attempt: number) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT' || attempt === maxAttempts) throw error;
    }
  }
}

/** Removes `folder` and the folders above it as far as they are empty; answers the first to stay. */
export async function removeEmptyFolders(folder: string, root: string): Promise<string> {
  if (folder === root) return root;
  try {
    await rmdir(folder);
  } catch (error) {
    const errno = errnoOf(error) ?? '';
    if (['ENOTEMPTY', 'EEXIST', 'EBUSY'].includes(errno)) return folder;
    // ENOENT, ENOTDIR: another delete was here first, or there never was such a folder.
    if (!isAbsent(error)) throw error;
  }
  return removeEmptyFolders(dirname(folder), root);
}

/** `folder` and every folder above it, up to and with the root. */
export function withAncestors(folder: string, root: string): string[] {
  return folder === root ? [root] : [folder, ...withAncestors(dirname(folder), root)];
}
