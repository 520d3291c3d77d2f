import { graceMinutes } from '../../library/reclaim/pending-keys.js';
import { isStray, keyStates, type KeyState } from '../../library/reclaim/version-objects.js';
import type { VersionTally } from '../../library/reclaim/version-tally.js';
import { isKey, objectsOf, isQuarantined } from '../../store/object-key.js';
import { sentinelKey } from '../../store/sentinel.js';
import { minuteMs } from '../../base/units.js';
import { sizeFits, sizeOf } from './check-version.js';
import { finding } from './findings.js';
import { inBatches, type ListedObject } from './object-batches.js';
import { throttled } from './progress.js';
import type { Run } from './run.js';

/** Objects looked up at a time; limits memory use. */
const batchSize = 500;

/**
 * Age up to which an unreferenced object is left alone, in milliseconds: no operation takes longer.
 */
export const graceMs = 2 * graceMinutes * minuteMs;

export interface ObjectCounts {
  objects: number;
  /** Unreferenced objects that are too young to be orphans. */
  young: number;
}

/**
 * Checks whether each object of the store is referenced, in one pass over its list. @param whole
 * collects the versions whose objects all exist with a plausible size.
 */
export async function checkObjects(run: Run, whole: VersionTally): Promise<ObjectCounts> {
  const counts: ObjectCounts = { objects: 0, young: 0 };
  const report = throttled(run.report);
  for await (const listed of inBatches(run.store.list(''), batchSize)) {
    run.signal.throwIfAborted();
    const batch = listed.filter(({ key }) => key !== sentinelKey && !isQuarantined(key));
    counts.objects += batch.length;
    const states = await keyStates(
      run.session,
      batch.map(({ key }) => key),
    );
    addWhole(whole, batch, states);
    for (const state of states.filter(isStray)) {
      run.signal.throwIfAborted(); // each may be moved, which takes time
      await judge(run, counts, state);
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
async function judge(run: Run, counts: ObjectCounts, { key, version }: KeyState): Promise<void> {
  const { store, findings, repair } = run;
  if (version) {
    findings.add(finding('object_doomed', key));
    return;
  }
  if (!isKey(key)) {
    const reason = 'left alone: not a name that imgstore generates';
    findings.add(finding('object_orphan', key, { reason }));
    return;
  }
  const found = await store.stat(key);
  if (!found) return; // deleted since it was listed
  if (Date.now() - found.modifiedAt.getTime() < run.graceMs) {
    counts.young += 1;
    return;
  }
  const reason = repair ? await repair.quarantine(key, found.bytes) : null;
  if (reason !== undefined) {
    findings.add(finding('object_orphan', key, { found: found.bytes, reason }));
  }
}
