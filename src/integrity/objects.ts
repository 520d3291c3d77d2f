import { graceMinutes } from '../reclaim/pending-keys.js';
import { isStray, keyStates } from '../reclaim/version-objects.js';
import type { KeyState } from '../reclaim/version-objects.js';
import type { VersionTally } from '../reclaim/version-tally.js';
import { isKey } from '../store/key-format.js';
import { objectsOf } from '../store/object-key.js';
import { isQuarantined } from '../store/quarantine-key.js';
import { sentinelKey } from '../store/sentinel.js';
import { minuteMs } from '../units.js';
import { sizeFits, sizeOf } from './check-version.js';
import { finding } from './findings.js';
import { inBatches } from './object-batches.js';
import type { ListedObject } from './object-batches.js';
import { occasionally } from './progress.js';
import type { Run } from './run.js';

/** Objects looked up at a time: all that is ever in memory. */
const batchSize = 500;

/**
 * Age up to which an object that nothing refers to is left alone, in milliseconds: nothing that is
 * under way takes longer.
 */
export const graceMs = 2 * graceMinutes * minuteMs;

export interface ObjectCounts {
  objects: number;
  /** Objects that nothing refers to, but that are too young to judge. */
  young: number;
}

/**
 * Looks for what refers to each object of the store, in one pass over its list.
 * @param whole gets the versions of which every object is there, with a size that fits.
 */
export async function checkObjects(run: Run, whole: VersionTally): Promise<ObjectCounts> {
  const counts: ObjectCounts = { objects: 0, young: 0 };
  const tell = occasionally(run.report);
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
      run.signal.throwIfAborted(); // each may be moved, which takes its time
      await judge(run, counts, state);
    }
    tell(() => `${counts.objects.toLocaleString('en')} objects looked up`);
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

/** An object in both, or in neither, of rows and reclaim queue. */
async function judge(run: Run, counts: ObjectCounts, { key, version }: KeyState): Promise<void> {
  const { store, findings, repair } = run;
  if (version) {
    findings.add(finding('object_doomed', key));
    return;
  }
  if (!isKey(key)) {
    const reason = 'left alone: not a name that imgstore gives';
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
