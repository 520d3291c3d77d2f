import { forEachLimited } from '../../base/concurrency.js';
import { versionBatches } from '../../library/reclaim/version-objects.js';
import type { VersionTally } from '../../library/reclaim/version-tally.js';
import { checkVersion } from './check-version.js';
import { throttled } from './progress.js';
import type { Run } from './run.js';

const batchSize = 500;
const parallelChecks = 16;

/**
 * Checks one by one the objects of every version that the list of the store did not show as whole.
 * @returns the total number of versions.
 */
export async function checkRows(run: Run, whole: VersionTally): Promise<number> {
  const { session, store, findings, signal } = run;
  const { rows, differing } = await whole.compare(session);
  if (differing.length === 0) return rows;
  const report = throttled(run.report);
  let done = 0;
  for await (const versions of versionBatches(session, { slices: differing, limit: batchSize })) {
    signal.throwIfAborted();
    await forEachLimited(versions, parallelChecks, async (version) => {
      for (const found of await checkVersion(session, store, version)) findings.add(found);
    });
    done += versions.length;
    report(() => `${done.toLocaleString('en')} versions checked one by one`);
  }
  return rows;
}
