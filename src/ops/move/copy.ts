import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { forEachLimited } from '../../base/concurrency.js';
import type { Home } from '../../base/config/home.js';
import type { Queryable } from '../../database/sql.js';
import {
  versionBatches,
  versionExists,
  type VersionRow,
} from '../../library/reclaim/version-objects.js';
import { pieceKeys } from '../../library/resumable/upkeep.js';
import { objectsOf, quarantinePrefix } from '../../store/object-key.js';
import { hashOf, type ObjectStore } from '../../store/port.js';
import { Summing } from '../backup/repository.js';

/** Versions that are read at a time. */
const batchSize = 500;
const parallelChecks = 16;
const parallelCopies = 4;

export interface CopyParts {
  readonly from: ObjectStore;
  readonly to: ObjectStore;
  /** Folder for objects in transit. */
  readonly scratch: string;
}

/** `missing`: the object is in neither store. */
type CopyOutcome = 'copied' | 'present' | 'missing';

/**
 * Copies an object and reads the copy back: it is kept only if both have the same SHA-256. The copy
 * of an object that is deleted in the meantime is removed, too.
 * @param sha256 of the object, where a row has it. @throws Error when the copy differs; ServiceError
 * `unavailable`.
 */
export async function copyObject(
  parts: CopyParts,
  key: string,
  sha256?: string,
): Promise<CopyOutcome> {
  const { from, to, scratch } = parts;
  const path = join(scratch, randomUUID());
  try {
    const wanted = await fetchObject(from, { key, sha256 }, path);
    if (wanted === undefined) return (await to.stat(key)) ? 'present' : 'missing';
    // Left by a move that was interrupted before it could record the copy.
    const present = await hashOf(to, key);
    if (present !== wanted) {
      if (present !== undefined) await to.delete([key]);
      await to.put([{ key, path, sha256: wanted }]);
      await compare(to, key, wanted);
    }
    if (!(await from.stat(key))) await to.delete([key]);
    return present === wanted ? 'present' : 'copied';
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * Reads an object into a file. What differs from its row is read again: either a bit changed on the
 * way, or the object is damaged and reads the same. Such an object is copied; `verify` reports it.
 * @returns the SHA-256 of what was read; undefined without an object.
 */
async function fetchObject(
  from: ObjectStore,
  { key, sha256 }: { readonly key: string; readonly sha256: string | undefined },
  path: string,
): Promise<string | undefined> {
  for (let former: string | undefined; ;) {
    const body = await from.get(key);
    if (!body) return undefined;
    const summing = new Summing();
    await pipeline(body.stream, summing.through, createWriteStream(path));
    const read = summing.sum().sha256;
    if (read === (sha256 ?? read) || read === former) return read;
    if (former !== undefined) throw new Error(`${key} has other bytes each time it is read`);
    former = read;
  }
}

/** Removes a copy that differs. */
async function compare(store: ObjectStore, key: string, wanted: string): Promise<void> {
  const got = await hashOf(store, key);
  if (got === wanted) return;
  await store.delete([key]);
  throw new Error(`The copy of ${key} has SHA-256 ${got}, but the object has ${wanted}.`);
}

/**
 * Copies quarantined objects that the new store lacks. There are few, so they are copied one by
 * one.
 */
export async function copyQuarantine(parts: CopyParts): Promise<void> {
  for await (const { key } of parts.from.list(quarantinePrefix)) {
    if (!(await parts.to.stat(key))) await copyObject(parts, key);
  }
}

/**
 * Copies the pieces of unfinished uploads that the new store lacks. One that is gone belongs to an upload
 * that is over by now.
 */
export async function copyPieces(db: Queryable, parts: CopyParts): Promise<void> {
  for await (const keys of pieceKeys(db)) {
    await forEachLimited(keys, parallelCopies, async (key) => {
      if (!(await parts.to.stat(key))) await copyObject(parts, key);
    });
  }
}

export interface CopyCounts {
  copied: number;
  /** Objects that rows reference and that are in neither store. */
  readonly missing: Set<string>;
}

interface VersionCopying extends CopyParts {
  readonly db: Queryable;
  readonly counts: CopyCounts;
  /** Whether to leave objects alone that the new store has, whatever they contain. */
  readonly onlyLacking: boolean;
}

/** Copies the objects of versions. */
export async function copyVersions(
  copying: VersionCopying,
  versions: readonly VersionRow[],
): Promise<void> {
  const { db, to, counts, onlyLacking } = copying;
  const objects = versions.flatMap((v) => objectsOf(v).map(({ key, role }) => ({ key, role, v })));
  const parallel = onlyLacking ? parallelChecks : parallelCopies;
  await forEachLimited(objects, parallel, async ({ key, role, v }) => {
    if (onlyLacking && (await to.stat(key))) return;
    const sha256 = role === 'original' ? v.hash.toString('hex') : undefined;
    const outcome = await copyObject(copying, key, sha256);
    if (outcome === 'copied') counts.copied += 1;
    // The image, and then its object, may have been deleted since its row was read.
    if (outcome === 'missing' && (await versionExists(db, v.versionId))) counts.missing.add(key);
  });
}

/**
 * Copies objects that only the old store has: after a move, those of uploads that stalled until the
 * move had ended.
 */
export async function copyMissingObjects(db: Queryable, copying: CopyParts): Promise<CopyCounts> {
  const counts: CopyCounts = { copied: 0, missing: new Set() };
  for await (const versions of versionBatches(db, { limit: batchSize })) {
    await copyVersions({ ...copying, db, counts, onlyLacking: true }, versions);
  }
  return counts;
}

/** Runs `work` with an empty folder for objects in transit, and removes it afterward. */
export async function withScratch<T>(
  home: Home,
  work: (scratch: string) => Promise<T>,
): Promise<T> {
  const scratch = join(home.dir, 'moving');
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { mode: 0o700 });
  try {
    return await work(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
