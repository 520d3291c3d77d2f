import { forEachLimited } from '../../base/concurrency.js';
import { readInstance } from '../../database/instance.js';
import type { Queryable } from '../../database/sql.js';
import { isQueued } from '../../library/reclaim/reclaim.js';
import {
  isStray,
  keyStates,
  versionBatches,
  versionExists,
  type KeyState,
  type VersionRow,
  type VersionTally,
} from '../../library/reclaim/version-objects.js';
import { isKey, isQuarantined, objectsOf, type ObjectRole } from '../../store/object-key.js';
import type { ObjectStore } from '../../store/port.js';
import { backupsIn } from '../backup/repository.js';
import { sentinelKey } from '../../store/sentinel.js';
import { batchSize, inBatches, type ListedObject } from './batches.js';
import { objectFinding, type Finding } from './findings.js';
import { throttled, type Run } from './run.js';

const parallelChecks = 16;

interface ObjectCounts {
  objects: number;
  /** Unreferenced objects that are too young to be orphans. */
  young: number;
}

/**
 * Checks whether each object of the store is referenced, in one pass over its list. @param whole
 * collects the versions whose objects all exist with a plausible size.
 */
export async function checkObjects(run: Run, whole?: VersionTally): Promise<ObjectCounts> {
  const counts: ObjectCounts = { objects: 0, young: 0 };
  const isBackup = backupsIn(run.store);
  const report = throttled(run.report);
  const prefix = run.platformId ? `${run.platformId}/` : '';
  for await (const listed of inBatches(run.store.list(prefix), batchSize)) {
    run.signal.throwIfAborted();
    const batch = listed.filter(({ key }) => key !== sentinelKey && !isQuarantined(key));
    counts.objects += batch.length;
    const states = await keyStates(
      run.session,
      batch.map(({ key }) => key),
    );
    if (whole) addWhole(whole, batch, states);
    for (const state of states.filter(isStray)) {
      run.signal.throwIfAborted(); // each may be moved, which takes time
      if (!(await isBackup(state.key))) await judge(run, counts, state);
    }
    report(() => `${counts.objects.toLocaleString('en')} objects looked up`);
  }
  return counts;
}

function addWhole(
  whole: VersionTally,
  batch: readonly ListedObject[],
  states: readonly KeyState[],
): void {
  const sizes = new Map(batch.map(({ key, bytes }) => [key, bytes]));
  const versions = states.flatMap(({ version }) => version ?? []);
  for (const version of new Map(versions.map((v) => [v.versionId, v])).values()) {
    const complete = objectsOf(version).every(({ role, key }) => {
      const bytes = sizes.get(key);
      return bytes !== undefined && sizeFits(sizeOf(version, role), bytes);
    });
    if (complete) whole.add(version.versionId);
  }
}

/** Handles an object that is in both the rows and the reclaim queue, or in neither. */
async function judge(
  run: Run,
  counts: ObjectCounts,
  { key, version, isPiece }: KeyState,
): Promise<void> {
  const { store, findings, repair, graceMs } = run;
  if (version || isPiece) {
    findings.add(objectFinding('object_doomed', key));
    return;
  }
  if (!isKey(key)) {
    const reason = 'left alone: not a name that imgstore generates';
    findings.add(objectFinding('object_orphan', key, { reason }));
    return;
  }
  // An upload lists its keys before it stores, and the reclaim job deletes an object before its
  // entry: an object that still exists without either is an orphan.
  const found = await store.stat(key);
  if (!found) return;
  if (graceMs > 0 && Date.now() - found.modifiedAt.getTime() < graceMs) {
    counts.young += 1;
    return;
  }
  const reason = repair ? await repair.quarantine(key, found.bytes) : null;
  if (reason !== undefined) {
    findings.add(objectFinding('object_orphan', key, { found: found.bytes, reason }));
  }
}

/**
 * Checks the objects of every version one by one, except those in `whole`, which the list of the
 * store showed as whole. @returns the total number of versions.
 */
export async function checkRows(
  run: Pick<Run, 'session' | 'store' | 'platformId' | 'findings' | 'report' | 'signal'>,
  whole?: VersionTally,
): Promise<number> {
  const { session, store, platformId, findings, signal } = run;
  const tally = await whole?.compare(session);
  if (tally?.differing.length === 0) return tally.rows;
  const report = throttled(run.report);
  const range = { platformId, slices: tally?.differing, limit: batchSize };
  let done = 0;
  for await (const versions of versionBatches(session, range)) {
    signal.throwIfAborted();
    await forEachLimited(versions, parallelChecks, async (version) => {
      for (const found of await checkVersion(session, store, version)) findings.add(found);
    });
    done += versions.length;
    report(() => `${done.toLocaleString('en')} versions checked one by one`);
  }
  return tally?.rows ?? done;
}

/** Checks existence and size of the objects of a version. @returns what is wrong. */
async function checkVersion(
  db: Queryable,
  store: Pick<ObjectStore, 'stat'>,
  version: VersionRow,
): Promise<readonly Finding[]> {
  const wrong: Finding[] = [];
  for (const { role, key } of objectsOf(version)) {
    const expected = sizeOf(version, role);
    const found = (await store.stat(key))?.bytes;
    if (found !== undefined && sizeFits(expected, found)) continue;
    const kind = found === undefined ? 'object_missing' : 'object_size';
    wrong.push(objectFinding(kind, key, { expected, found: found ?? null }));
  }
  return unlessDeleted(db, version, wrong);
}

/** Findings about a version, unless it has been deleted meanwhile, and then its objects. */
export const unlessDeleted = async (
  db: Queryable,
  { versionId }: VersionRow,
  found: readonly Finding[],
): Promise<readonly Finding[]> =>
  found.length === 0 || (await versionExists(db, versionId)) ? found : [];

/** The size that an object must have; null for renditions, whose sizes are not in the rows. */
export const sizeOf = (version: VersionRow, role: ObjectRole): number | null =>
  role === 'original' ? version.bytes : null;

/** Whether the size of an object is plausible: no file of imgstore is empty. */
export const sizeFits = (expected: number | null, found: number): boolean =>
  expected === null ? found > 0 : found === expected;

/**
 * Checks for unfinished multipart uploads that the reclaim job will not remove. A move of the
 * objects creates such uploads for keys in use, so nothing is reported while one is in progress.
 */
export async function checkUploads({ session, store, platformId, findings }: Run): Promise<void> {
  if ((await readInstance(session)).moving) return;
  const suspects = new Set<string>();
  const isBackup = backupsIn(store);
  for await (const { key } of store.unfinished()) {
    if (platformId !== undefined && !key.startsWith(`${platformId}/`)) continue;
    if (await isBackup(key)) continue;
    if (!(await isQueued(session, key))) suspects.add(key);
  }
  if (suspects.size === 0) return;
  // An upload that completed in the meantime removed its keys from the queue.
  for await (const { key } of store.unfinished()) {
    if (suspects.delete(key)) findings.add(objectFinding('upload_unfinished', key));
  }
}
