import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, open, readdir, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDirectory, retryWhileRemoved } from './directories.js';
import { errnoOf, isFileMissing } from '../base/os/system-error.js';
import { hourMs } from '../base/units.js';

/** Folder in the store's root for copies in progress; its name cannot be part of a key. */
const copiesFolder = '~copies';

/** A copy older than this belongs to a process that died, in milliseconds. */
const staleCopyAge = hourMs;

/** Forces the bytes of a file to the disk. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

/**
 * Moves the synced file at `source` to `target`. Uses a hard link rather than a rename, because
 * that fails if an object exists, and objects are never overwritten. Usually the folder already
 * exists.
 */
export async function linkFile(source: string, target: string, root: string): Promise<void> {
  try {
    await linkInto(source, target, root);
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error;
    await linkCopy(source, target, root);
  }
  await unlink(source);
}

/** For uploads on another file system than the store's. */
async function linkCopy(source: string, target: string, root: string): Promise<void> {
  const copies = join(root, copiesFolder);
  await makeDirectory(copies, root);
  await dropStaleCopies(copies);
  const copy = join(copies, randomUUID());
  try {
    await copyFile(source, copy, constants.COPYFILE_EXCL);
    await syncFile(copy);
    await linkInto(copy, target, root);
  } finally {
    await rm(copy, { force: true });
  }
}

/**
 * Removes copies that killed processes left; there are few files at any time, so this costs little.
 */
async function dropStaleCopies(copies: string): Promise<void> {
  for (const name of await readdir(copies)) {
    try {
      const { mtimeMs } = await stat(join(copies, name));
      if (Date.now() - mtimeMs > staleCopyAge) await rm(join(copies, name), { force: true });
    } catch (error) {
      if (!isFileMissing(error)) throw error;
    }
  }
}

async function linkInto(source: string, target: string, root: string): Promise<void> {
  try {
    await retryWhileRemoved(async (attempt) => {
      if (attempt > 1) await makeDirectory(dirname(target), root);
      await link(source, target);
    });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    throw new Error(`object exists: ${target}`, { cause: error });
  }
}
