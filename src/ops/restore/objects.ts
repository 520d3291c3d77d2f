import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { forEachLimited, inGroups } from '../../base/concurrency.js';
import type { NewObject, ObjectStore } from '../../store/port.js';
import { Summing } from '../backup/lines.js';
import { poolPath, type Repository } from '../backup/repository.js';

const groupSize = 200;
const parallelReads = 8;

/** Keys that are listed in full. */
const maxListed = 1_000;

/**
 * An object of a backup. Size and hash are null for one that the store had lost before the backup
 * was made, and undefined where neither the backup nor the row has them.
 */
export interface RestorableObject {
  readonly key: string;
  readonly bytes: number | null | undefined;
  readonly sha256: string | null | undefined;
}

export interface RestoreObjectsParts {
  readonly repository: Repository;
  /** What the rows need. */
  readonly wanted: AsyncIterable<RestorableObject>;
  readonly store: Pick<ObjectStore, 'put' | 'stat' | 'delete'>;
  /** Folder for objects in transit. */
  readonly scratch: string;
  readonly report: (progress: RestoredObjects) => void;
  readonly signal: AbortSignal;
}

export interface RestoredObjects {
  objects: number;
  bytes: number;
  /** Objects that are missing or damaged in the backup: these were not restored. */
  readonly damaged: string[];
}

/** Puts every object of a backup into a store, except those that it already has. */
export async function restoreObjects(parts: RestoreObjectsParts): Promise<RestoredObjects> {
  const { wanted, store, signal, report } = parts;
  const progress: RestoredObjects = { objects: 0, bytes: 0, damaged: [] };
  for await (const group of inGroups(wanted, groupSize)) {
    signal.throwIfAborted();
    const ready: NewObject[] = [];
    try {
      await forEachLimited(group, parallelReads, async (entry) => {
        const outcome = await prepare(parts, entry);
        if (typeof outcome === 'object') ready.push(outcome);
        if (outcome === 'damaged' && progress.damaged.length < maxListed) {
          progress.damaged.push(entry.key);
        }
        progress.objects += 1;
        progress.bytes += entry.bytes ?? 0;
      });
      await store.put(ready);
    } finally {
      for (const { path } of ready) await rm(path, { force: true });
    }
    report(progress);
  }
  return progress;
}

/** Copies an object from the backup to a local file, unless the store already has it. */
async function prepare(
  { repository, store, scratch }: RestoreObjectsParts,
  { key, bytes, sha256 }: RestorableObject,
): Promise<NewObject | 'present' | 'damaged'> {
  if (bytes === null) return 'damaged';
  const present = await store.stat(key);
  if (present && present.bytes === (bytes ?? present.bytes)) return 'present';
  if (present) await store.delete([key]);
  const source = await repository.read(poolPath(key));
  if (!source) return 'damaged';
  const path = join(scratch, randomUUID());
  const summing = new Summing();
  await pipeline(source, summing.through, createWriteStream(path, { mode: 0o600 }));
  const read = summing.sum().sha256;
  if (sha256 === undefined || read === sha256) return { key, path, sha256: read };
  await rm(path);
  return 'damaged';
}
