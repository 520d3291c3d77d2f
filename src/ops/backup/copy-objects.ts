import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { forEachLimited, inGroups } from '../../base/concurrency.js';
import { isKey } from '../../store/object-key.js';
import type { ObjectStore } from '../../store/port.js';
import {
  joined,
  readEntries,
  readPool,
  sortPool,
  wantedOf,
  type ManifestEntry,
  type SnapshotVersion,
  type WantedObject,
} from './manifest.js';
import { linesOf, Summing, sumAt, poolPath, writeLines, type Repository } from './repository.js';

/** Objects per group; after each, progress is reported. */
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
  /** The latest manifest: what the pool has of it need not be read again. */
  readonly known: string;
  /** Folder in the home for lists. */
  readonly lists: string;
  /** Path of an object as a file that may be linked; undefined if it must be copied. */
  readonly fileOf: ((key: string) => string) | undefined;
  readonly report: (progress: CopyProgress) => void;
  readonly signal: AbortSignal;
}

interface Copied extends CopyProgress {
  /** Objects that are lost or damaged, or whose copies differ. */
  readonly lost: string[];
  faults: number;
}

/** Adds every object of the snapshot to the pool, and writes the manifest. */
export async function copyObjects(parts: CopyParts) {
  const pool = await sortPool(parts.repository, parts.lists);
  const file = join(parts.lists, 'manifest.ndjson');
  const copied: Copied = { objects: 0, bytes: 0, reused: 0, lost: [], faults: 0 };
  const sum = await writeLines(file, entriesOf(parts, pool, copied));
  return { ...copied, manifest: { file, ...sum } };
}

/** @param copied is counted up. */
async function* entriesOf(
  parts: CopyParts,
  pool: string,
  copied: Copied,
): AsyncGenerator<ManifestEntry> {
  const { known, list, signal } = parts;
  const tasks = onlyWanted(joined(wantedIn(list), copiedBefore(known, pool)));
  for await (const group of inGroups(tasks, groupSize)) {
    signal.throwIfAborted();
    const done = new Map<WantedObject, Added>();
    await forEachLimited(group, parallelCopies, async ({ wanted, had }) => {
      done.set(wanted, await addUnlessThere(parts, wanted, had));
    });
    for (const { wanted } of group) {
      const { entry, sound, reused } = done.get(wanted) as Added;
      yield entry;
      copied.objects += 1;
      copied.bytes += entry.bytes ?? 0;
      if (reused) copied.reused += 1;
      if (sound) continue;
      copied.faults += 1;
      if (copied.lost.length < maxListed) copied.lost.push(entry.key);
    }
    parts.report(copied);
  }
}

/** What a manifest says of an object, and whether the pool has a file of its size. */
interface Known {
  readonly entry: ManifestEntry;
  readonly isThere: boolean;
}

async function* copiedBefore(known: string, pool: string): AsyncGenerator<Known & { key: string }> {
  for await (const [entry, file] of joined(readEntries(known), readPool(pool))) {
    const isThere = file?.key === entry?.key && file?.bytes === entry?.bytes;
    if (entry) yield { key: entry.key, entry, isThere };
  }
}

interface Task {
  readonly wanted: WantedObject;
  readonly had: Known | undefined;
}

async function* onlyWanted(
  pairs: AsyncIterable<readonly [WantedObject, Known | undefined] | readonly [undefined, Known]>,
): AsyncGenerator<Task> {
  for await (const [wanted, had] of pairs) if (wanted) yield { wanted, had };
}

/** An object of the pool. */
export interface Added {
  readonly entry: ManifestEntry;
  /** Whether it is what the row or an earlier manifest says, or else the same in store and pool. */
  readonly sound: boolean;
  /** Whether the pool had it already. */
  readonly reused: boolean;
}

function addUnlessThere(parts: CopyParts, wanted: WantedObject, had?: Known): Promise<Added> {
  if (!had || !isSound(wanted, had.entry)) return addToPool(parts, wanted);
  const { entry, isThere } = had;
  if (isThere) return Promise.resolve({ entry, sound: true, reused: true });
  return addToPool(parts, {
    ...wanted,
    bytes: entry.bytes ?? undefined,
    sha256: entry.sha256 ?? undefined,
  });
}

/** Whether an object is what is expected, as far as its hash is known. */
const isSound = (wanted: WantedObject, { bytes, sha256 }: ManifestEntry): boolean =>
  sha256 !== null &&
  (wanted.sha256 === undefined || (wanted.sha256 === sha256 && wanted.bytes === bytes));

/**
 * Links or copies an object into the pool. A file that is there already is replaced only if its own
 * bytes are proved wrong, and those of the store right.
 */
export async function addToPool(
  parts: Pick<CopyParts, 'store' | 'repository' | 'fileOf'>,
  wanted: WantedObject,
): Promise<Added> {
  const { repository, fileOf } = parts;
  const { key } = wanted;
  const path = poolPath(key);
  const sum = await sumAt(repository, path);
  const there = sum && { key, ...sum };
  const isProved = wanted.sha256 !== undefined;
  if (there && isProved && isSound(wanted, there))
    return { entry: there, sound: true, reused: true };
  const adopted = there ? undefined : fileOf && (await repository.adopt(path, fileOf(key)));
  if (adopted) {
    const entry = { key, ...adopted };
    return { entry, sound: isSound(wanted, entry), reused: false };
  }
  const file = join(repository.staging, randomUUID());
  try {
    // What differs from its row is read once more: a bit may have changed on the way.
    const first = await readInto(parts.store, key, file);
    const own = isSound(wanted, first) ? first : await readInto(parts.store, key, file);
    const sound = isSound(wanted, own);
    if (there && !(isProved && sound)) {
      return { entry: there, sound: !isProved && own.sha256 === there.sha256, reused: true };
    }
    if (own.bytes !== null) await repository.put(path, file);
    return { entry: own, sound, reused: false };
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

async function* wantedIn(list: string): AsyncGenerator<WantedObject> {
  for await (const line of linesOf(createReadStream(list) as AsyncIterable<Buffer>)) {
    const wanted = wantedOf(JSON.parse(line) as SnapshotVersion);
    // The file is in the repository, where others may be able to write.
    if (!wanted.every(({ key }) => isKey(key))) throw new Error(`${list} has been changed`);
    yield* wanted;
  }
}
