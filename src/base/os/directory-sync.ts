import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from './system-error.js';

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
    await syncDirectory(folder);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || folder === root) throw error;
    await syncNearest(dirname(folder), root);
  }
}

async function syncDirectory(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
