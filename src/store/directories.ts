import { randomUUID } from 'node:crypto';
import { type Dir, constants } from 'node:fs';
import { mkdir, rmdir, opendir, stat, copyFile, open, readdir, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf, isFileMissing, moveToFree, syncFolder, tryFolder } from '../base/os/files.js';
import { hourMs } from '../base/units.js';
import { isKey } from './object-key.js';

/**
 * Makes folder changes durable: after `sync`, entries added to or removed from a folder survive a
 * power cut. Requests that arrive while a folder is being synced share the next sync, so that
 * parallel uploads of one user cost few.
 */
export class DirectorySync {
  /** Syncs that have not started yet, and so will cover every entry made up to now. */
  readonly #queued = new Map<string, Promise<void>>();
  readonly #latest = new Map<string, Promise<void>>();

  constructor(private readonly root: string) {}

  sync(folder: string): Promise<void> {
    const queued = this.#queued.get(folder);
    if (queued) return queued;
    const turn = this.#afterLatest(folder);
    this.#queued.set(folder, turn);
    this.#latest.set(folder, turn);
    return turn;
  }

  async #afterLatest(folder: string): Promise<void> {
    // The outcome of the earlier sync was reported to those who requested it.
    await this.#latest.get(folder)?.catch(() => undefined);
    const turn = this.#queued.get(folder);
    this.#queued.delete(folder);
    try {
      await syncNearest(folder, this.root);
    } finally {
      if (this.#latest.get(folder) === turn) this.#latest.delete(folder);
    }
  }
}

/** If a folder has been removed, its parent must be synced instead. */
async function syncNearest(folder: string, root: string): Promise<void> {
  try {
    await syncFolder(folder);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || folder === root) throw error;
    await syncNearest(dirname(folder), root);
  }
}

/** Entries read from a folder at a time: bounds the memory used, however large the folder. */
const bufferSize = 256;

export interface ListedFile {
  readonly key: string;
  readonly bytes: number;
}

/**
 * Every object below `root` whose key starts with `prefix`. Holds one open folder per level and
 * nothing else. Objects created or deleted in the meantime may or may not be included.
 */
export async function* listFiles(root: string, prefix: string): AsyncGenerator<ListedFile> {
  yield* listDirectory(root, prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix);
}

/** `folder` is empty for the root, otherwise the beginning of a key with a trailing slash. */
async function* listDirectory(
  root: string,
  folder: string,
  prefix: string,
): AsyncGenerator<ListedFile> {
  for await (const entry of (await openDirectory(join(root, folder))) ?? []) {
    const key = folder + entry.name;
    // Names that no key can have are not objects: copies in progress, a file system's lost+found.
    if (!isKey(key)) continue;
    if (entry.isDirectory()) {
      if (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`)) {
        yield* listDirectory(root, `${key}/`, prefix);
      }
    } else if (entry.isFile() && key.startsWith(prefix)) {
      const bytes = await sizeOf(join(root, key));
      if (bytes !== undefined) yield { key, bytes };
    }
  }
}

async function openDirectory(path: string): Promise<Dir | undefined> {
  try {
    return await opendir(path, { bufferSize });
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}

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
 * Moves the synced file at `source` to `target`, which must be free: objects are never overwritten.
 * Usually the folder already exists.
 */
export async function moveFile(source: string, target: string, root: string): Promise<void> {
  try {
    await moveInto(source, target, root);
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error;
    await moveCopy(source, target, root);
    await unlink(source);
  }
}

/** Whether files can be made on the file system of the store, and get names there. */
export async function tryCopies(root: string): Promise<void> {
  const copies = join(root, copiesFolder);
  await makeDirectory(copies, root);
  await dropStaleCopies(copies);
  await tryFolder(copies);
}

/** For uploads on another file system than the store's. */
async function moveCopy(source: string, target: string, root: string): Promise<void> {
  const copies = join(root, copiesFolder);
  await makeDirectory(copies, root);
  await dropStaleCopies(copies);
  const copy = join(copies, randomUUID());
  try {
    await copyFile(source, copy, constants.COPYFILE_EXCL);
    await syncFile(copy);
    await moveInto(copy, target, root);
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

async function moveInto(source: string, target: string, root: string): Promise<void> {
  try {
    await retryWhileRemoved(async (attempt) => {
      if (attempt > 1) await makeDirectory(dirname(target), root);
      await moveToFree(source, target);
    });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    throw new Error(`object exists: ${target}`, { cause: error });
  }
}
