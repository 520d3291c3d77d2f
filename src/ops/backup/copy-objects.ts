import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { forEachLimited, inGroups } from '../../base/concurrency.js';
import { isKey } from '../../store/object-key.js';
import type { ObjectStore } from '../../store/port.js';
import {
  joined,
  none,
  rankOf,
  readEntries,
  union,
  wantedOf,
  type ManifestEntry,
  type SnapshotVersion,
  type WantedObject,
} from './manifest.js';
import {
  LineFile,
  linesOf,
  Summing,
  poolPath,
  type FileSum,
  type Repository,
} from './repository.js';

/** Objects per group; after each group, the lock is checked and the manifest is flushed. */
const groupSize = 200;
const parallelCopies = 8;

/** What has been done so far. */
export interface CopyProgress {
  objects: number;
  bytes: number;
  /** Of these, objects that the repository already had. */
  reused: number;
}

interface CopyParts {
  readonly store: Pick<ObjectStore, 'get'>;
  readonly repository: Repository;
  /** One `SnapshotVersion` a line, by id. */
  readonly list: string;
  /** The manifest of the latest complete generation, whose objects need not be read again. */
  readonly previous: string | undefined;
  /** Path of an object as a file that may be linked; undefined if it must be copied. */
  readonly fileOf: ((key: string) => string) | undefined;
  /** Throws when objects may have been deleted meanwhile. */
  readonly assertHeld: () => Promise<unknown>;
  readonly report: (progress: CopyProgress) => void;
  readonly signal: AbortSignal;
}

interface CopiedObjects extends CopyProgress {
  readonly manifest: FileSum & { readonly file: string };
  /** Objects that the store had lost, and originals that differ from their rows. */
  readonly lost: readonly string[];
  readonly faults: number;
}

/** Copies every object of the snapshot into the pool, and writes the manifest. */
export async function copyObjects(parts: CopyParts): Promise<CopiedObjects> {
  const { repository, previous, list, signal } = parts;
  await gatherResumed(repository);
  const complete = previous === undefined ? none() : readEntries(previous);
  const known = union(complete, resumedOriginals(repository));
  const file = manifestIn(repository);
  const lines = await LineFile.create(file);
  const progress: CopyProgress = { objects: 0, bytes: 0, reused: 0 };
  const lost: string[] = [];
  let faults = 0;
  try {
    const tasks = onlyWanted(joined(wantedIn(list), rankOf, known, rankOf));
    for await (const group of inGroups(tasks, groupSize)) {
      signal.throwIfAborted();
      const entries = new Map<WantedObject, ManifestEntry>();
      await forEachLimited(group, parallelCopies, async ({ wanted, had }) => {
        const present = await reusable(repository, wanted, had);
        if (present) progress.reused += 1;
        entries.set(wanted, present ?? (await addToPool(parts, wanted)));
      });
      await parts.assertHeld();
      for (const { wanted } of group) {
        const entry = entries.get(wanted) as ManifestEntry;
        await lines.append(entry);
        progress.objects += 1;
        progress.bytes += entry.bytes ?? 0;
        if (isSound(wanted, entry)) continue;
        faults += 1;
        if (lost.length < maxListed) lost.push(entry.key);
      }
      await lines.flush();
      parts.report(progress);
    }
    return { ...progress, manifest: { file, ...(await lines.close()) }, lost, faults };
  } catch (error) {
    await lines.abandon();
    throw error;
  }
}

interface Task {
  readonly wanted: WantedObject;
  readonly had: ManifestEntry | undefined;
}

async function* onlyWanted(
  pairs: AsyncIterable<
    readonly [WantedObject, ManifestEntry | undefined] | readonly [undefined, ManifestEntry]
  >,
): AsyncGenerator<Task> {
  for await (const [wanted, had] of pairs) if (wanted) yield { wanted, had };
}

/** Whether the copy matches the row. */
export const isSound = (wanted: WantedObject, { bytes, sha256 }: ManifestEntry): boolean =>
  sha256 !== null &&
  (wanted.sha256 === undefined || (wanted.sha256 === sha256 && wanted.bytes === bytes));

/** The entry of an object that the pool already has, if it matches the row. */
async function reusable(
  repository: Repository,
  wanted: WantedObject,
  had: ManifestEntry | undefined,
): Promise<ManifestEntry | undefined> {
  if (!had || had.bytes === null || !isSound(wanted, had)) return undefined;
  return (await repository.size(poolPath(wanted.key))) === had.bytes ? had : undefined;
}

/** Links or copies an object into the pool. */
export async function addToPool(
  parts: Pick<CopyParts, 'store' | 'repository' | 'fileOf'>,
  wanted: WantedObject,
): Promise<ManifestEntry> {
  const { repository, fileOf } = parts;
  const { key } = wanted;
  const path = poolPath(key);
  const adopted = fileOf && (await repository.adopt(path, fileOf(key)));
  if (adopted) return { key, ...adopted };
  const file = join(repository.staging, randomUUID());
  try {
    // What differs from its row is read once more: a bit may have changed on the way.
    const first = await readInto(parts.store, key, file);
    const entry = isSound(wanted, first) ? first : await readInto(parts.store, key, file);
    if (entry.bytes !== null) await repository.put(path, file);
    return entry;
  } finally {
    await rm(file, { force: true });
  }
}

/** Reads an object into a file. */
async function readInto(
  store: Pick<ObjectStore, 'get'>,
  key: string,
  file: string,
): Promise<ManifestEntry> {
  const body = await store.get(key);
  if (!body) return { key, bytes: null, sha256: null };
  const summing = new Summing();
  await pipeline(body.stream, summing.through, createWriteStream(file, { mode: 0o600 }));
  const sum = summing.sum();
  if (sum.bytes !== body.bytes) throw new Error(`${key} ended after ${sum.bytes} bytes`);
  return { key, ...sum };
}

/** Keys that are listed in full; the others are only counted. */
const maxListed = 1_000;

const manifestIn = (repository: Repository): string => join(repository.staging, 'manifest.ndjson');
const resumedIn = (repository: Repository): string => join(repository.staging, 'resumed.ndjson');

/**
 * Collects what killed runs copied: the manifest that the last run was writing, and the entries
 * that it had collected.
 */
async function gatherResumed(repository: Repository): Promise<void> {
  const next = join(repository.staging, 'resumed.next');
  const lines = await LineFile.create(next);
  const known = union(readEntries(manifestIn(repository)), readEntries(resumedIn(repository)));
  for await (const entry of known) await lines.append(entry);
  await lines.close();
  await rename(next, resumedIn(repository));
}

/** Removes files that a killed run left, except those that `gatherResumed` reads. */
export async function sweepStaging(repository: Repository): Promise<void> {
  const kept = [manifestIn(repository), resumedIn(repository)];
  for (const name of await readdir(repository.staging)) {
    const path = join(repository.staging, name);
    if (!kept.includes(path)) await rm(path, { recursive: true, force: true });
  }
}

/** Removes the list from which a killed run would be resumed. */
export async function forgetResumed(repository: Repository): Promise<void> {
  await rm(resumedIn(repository), { force: true });
}

async function* wantedIn(list: string): AsyncGenerator<WantedObject> {
  for await (const line of linesOf(createReadStream(list) as AsyncIterable<Buffer>)) {
    const wanted = wantedOf(JSON.parse(line) as SnapshotVersion);
    // The file is in the repository, where others may be able to write.
    if (!wanted.every(({ key }) => isKey(key))) throw new Error(`${list} has been changed`);
    yield* wanted;
  }
}

/**
 * What killed runs copied. The list is in the repository, where others may be able to write, so it
 * is trusted only where rows have the hash as well.
 */
async function* resumedOriginals(repository: Repository): AsyncGenerator<ManifestEntry> {
  for await (const entry of readEntries(resumedIn(repository))) {
    if (entry.key.includes('/original.')) yield entry;
  }
}
