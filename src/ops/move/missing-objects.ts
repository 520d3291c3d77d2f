import type { Queryable } from '../../database/sql.js';
import { forEachLimited } from '../../base/concurrency.js';
import { versionBatches, versionExists } from '../../library/reclaim/version-objects.js';
import { objectsOf } from '../../store/object-key.js';
import { copyObject } from './copy.js';
import type { CopyParts } from './copy.js';

const batchSize = 500;
const parallelChecks = 16;

export interface MissingCopied {
  copied: number;
  /** Objects that rows reference and that are in neither store. */
  readonly missing: string[];
}

/**
 * Copies objects that only the old store has: after a move, those of uploads that stalled until the
 * move had ended.
 */
export async function copyMissingObjects(
  db: Queryable,
  copying: CopyParts,
): Promise<MissingCopied> {
  const found: MissingCopied = { copied: 0, missing: [] };
  for await (const versions of versionBatches(db, { limit: batchSize })) {
    const objects = versions.flatMap((v) =>
      objectsOf(v).map(({ key, role }) => ({ key, role, v })),
    );
    await forEachLimited(objects, parallelChecks, async ({ key, role, v }) => {
      if (await copying.to.stat(key)) return;
      const outcome = await copyObject(
        copying,
        key,
        role === 'original' ? v.hash.toString('hex') : undefined,
      );
      if (outcome === 'copied') found.copied += 1;
      // The image, and then its object, may have been deleted since its row was read.
      if (outcome === 'missing' && (await versionExists(db, v.versionId))) found.missing.push(key);
    });
  }
  return found;
}
